package dev.countersign.server.commands;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Where a command reads from: a person at a terminal, a pipe or a file. */
public interface Terminal {

  /** Whether a person is there to answer. */
  boolean isInteractive();

  /** Standard input. */
  InputStream input();

  /** The next line that the person types, without its end; empty at the end of the input. */
  default String readLine() {
    StringBuilder line = new StringBuilder();
    try {
      for (int next = input().read(); next >= 0 && next != '\n'; next = input().read()) {
        line.append((char) next);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException("standard input cannot be read", broken);
    }
    return line.toString().strip();
  }

  /** The process's own. */
  static Terminal system() {
    return new Terminal() {
      @Override
      @SuppressWarnings("SystemConsoleNull") // null on Java 21 and 25; in between isTerminal tells
      public boolean isInteractive() {
        Console console = System.console();
        return console != null && isTerminal(console);
      }

      @Override
      public InputStream input() {
        return System.in;
      }
    };
  }

  // Java 22 to 24 return a console also where input and output are pipes, and only Java 22 and
  // newer can tell by Console.isTerminal(), which a build for Java 21 cannot name.
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException older) {
      return true;
    } catch (ReflectiveOperationException unexpected) {
      return false;
    }
  }
}
