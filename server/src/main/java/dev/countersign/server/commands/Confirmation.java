package dev.countersign.server.commands;

import java.util.Locale;
import picocli.CommandLine;

/** Asks for confirmation before a command removes something. */
public final class Confirmation {
  private Confirmation() {}

  /**
   * Asks whether to remove something.
   *
   * @throws CommandException if the answer is no, or if nobody can answer
   */
  public static void ask(CommandLine command, OperatorConsole console, String target) {
    if (!console.isInteractive()) {
      throw new CommandException(
          "remove needs a confirmation, but there is no terminal: repeat the command with --yes");
    }
    command.getErr().print("Remove " + target + " permanently? [y/N] ");
    command.getErr().flush();
    String answer = console.readLine().toLowerCase(Locale.ROOT);
    if (!answer.equals("y") && !answer.equals("yes")) {
      throw new CommandException("nothing was removed");
    }
  }
}
