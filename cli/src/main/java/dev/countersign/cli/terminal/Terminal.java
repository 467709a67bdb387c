package dev.countersign.cli.terminal;

import java.util.Optional;

/** The terminal and the person at it, if there is one. */
public interface Terminal {

  /** Returns whether standard output goes to a terminal. */
  boolean showsOutput();

  /** Returns whether standard error goes to a terminal; if so, progress is shown. */
  boolean showsErrors();

  /** Returns whether a person can be asked. */
  boolean answers();

  /**
   * Asks a question; empty if the person ended the input (Ctrl-D) or nobody is there.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} after Ctrl-C
   */
  Optional<String> ask(String question);

  /**
   * Asks without echoing the input. The caller overwrites the array after use.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} after Ctrl-C
   */
  Optional<char[]> askSecret(String question);

  /** No terminal at all, as in a pipeline. */
  static Terminal none() {
    return new Terminal() {
      @Override
      public boolean showsOutput() {
        return false;
      }

      @Override
      public boolean showsErrors() {
        return false;
      }

      @Override
      public boolean answers() {
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
