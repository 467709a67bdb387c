package dev.countersign.cli.terminal;

import dev.countersign.protocol.PlainText;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * The output of a command: results go to standard output for the next program in the pipe, and
 * everything else goes to standard error for the person. Commands include this class as a picocli
 * mixin, which gives them the option {@code --json}.
 */
public final class Output {
  private final Environment environment;
  private final ResultStream results;
  private final PrintWriter out;
  private final PrintWriter err;

  @Option(names = "--json", description = "Print errors and results as JSON, one line each.")
  private boolean json;

  public Output(Environment environment) {
    this.environment = environment;
    this.results = new ResultStream(environment.out());
    this.out = new PrintWriter(results, false, StandardCharsets.UTF_8);
    this.err = new PrintWriter(environment.err(), true, StandardCharsets.UTF_8);
  }

  /** Returns whether the user asked for JSON. */
  public boolean json() {
    return json;
  }

  /** Standard output for help, not for results. All characters are kept, also colour codes. */
  public PrintWriter out() {
    return out;
  }

  /**
   * Standard output as bytes; do not mix it with {@link #out()}. A file or a pipe receives the
   * bytes unchanged; a terminal receives them without control codes.
   */
  public OutputStream bytes() {
    return environment.terminal().isStandardOutputTerminal() ? new PlainStream(results) : results;
  }

  /** Standard error. */
  public PrintWriter err() {
    return err;
  }

  /** Prints one or more lines of the result. Control codes are removed on a terminal. */
  public void print(String line) {
    out.print(environment.terminal().isStandardOutputTerminal() ? PlainText.lines(line) : line);
    out.print('\n');
    out.flush();
  }

  /** Prints a result as one JSON object on one line. */
  public void printJson(Map<String, Object> result) {
    print(new JsonMapper().writeValueAsString(result));
  }

  /** Prints a line for the person on standard error, without control codes. */
  public void note(String line) {
    err.print(PlainText.wholeLine(line));
    err.print('\n');
    err.flush();
  }

  /** Returns whether standard error goes to a terminal, where progress is shown. */
  public boolean hasErrorTerminal() {
    return environment.terminal().isStandardErrorTerminal();
  }
}
