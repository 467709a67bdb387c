package dev.countersign.server.commands;

/** Ends a command with exit code 1 and one line for the operator. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandException(String message) {
    super(message, null, false, false);
  }
}
