package dev.countersign.server.commands;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;

/** The input of a command: a person at a terminal, a pipe or a file. */
public interface OperatorConsole {

  /** Returns whether a person can answer. */
  boolean isInteractive();

  /** Returns standard input. */
  InputStream input();

  /** Reads the next line, without surrounding white space; empty at the end of the input. */
  default String readLine() {
    StringBuilder line = new StringBuilder();
    try {
      for (int next = input().read(); next >= 0 && next != '\n'; next = input().read()) {
        line.append((char) next);
      }
    } catch (IOException broken) {
      throw new CommandException("standard input cannot be read");
    }
    return line.toString().strip();
  }

  /** Returns the console of this process. */
  static OperatorConsole system() {
    return new OperatorConsole() {
      @Override
      @SuppressWarnings("SystemConsoleNull") // null on Java 21 and 25, but not on 22 to 24
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

  // Java 22 to 24 return a console even if input and output are pipes. Console.isTerminal() tells
  // the difference. That method exists only since Java 22, and this class is compiled for Java 21,
  // so it is called by reflection.
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
