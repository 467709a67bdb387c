package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The result of a command that ran in this process. */
public record CommandResult(int exitCode, String out, String err) {
  public static CommandResult of(CommandLine root, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = root.execute(arguments);
    return new CommandResult(exitCode, out.toString(), err.toString());
  }

  /** The first line of the output, such as a clientId. */
  public String firstLine() {
    return out.lines().findFirst().orElseThrow();
  }

  void assertFailure(String message) {
    assertThat(exitCode).isEqualTo(1);
    assertOneLine(message);
  }

  void assertUsage(String message) {
    assertThat(exitCode).isEqualTo(2);
    assertOneLine(message);
  }

  void assertOneLine(String message) {
    assertThat(err).startsWith("countersign: ").contains(message).hasLineCount(1);
    assertThat(out).isEmpty();
  }
}
