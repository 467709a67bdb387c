package dev.countersign.cli.terminal;

import java.util.Optional;

/** The terminal of a command: tells which streams go to it, and asks the person who uses it. */
public interface Terminal {

  /** Returns whether standard output goes to a terminal. */
  boolean isStandardOutputTerminal();

  /** Returns whether standard error goes to a terminal. */
  boolean isStandardErrorTerminal();

  /** Returns whether there is a terminal at which a person can be asked. */
  boolean canAsk();

  /**
   * Asks a question and returns the answer; empty if the person ended the input (Ctrl-D), or if
   * nobody {@linkplain #canAsk() can be asked}.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} after Ctrl-C
   */
  Optional<String> ask(String question);

  /**
   * Asks like {@link #ask}, without echoing the answer. The caller overwrites the array after use.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} after Ctrl-C
   */
  Optional<char[]> askSecret(String question);

  /** Returns a terminal that shows nothing and at which nobody can be asked. */
  static Terminal none() {
    return new Terminal() {
      @Override
      public boolean isStandardOutputTerminal() {
        return false;
      }

      @Override
      public boolean isStandardErrorTerminal() {
        return false;
      }

      @Override
      public boolean canAsk() {
        return false;
      }

      @Override
      public Optional<String> ask(String question) {
        return Optional.empty();
      }

      @Override
      public Optional<char[]> askSecret(String question) {
        return Optional.empty();
      }
    };
  }
}
