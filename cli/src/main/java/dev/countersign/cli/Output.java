package dev.countersign.cli;

import dev.countersign.client.text.PlainText;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a command prints, mixed into every command: results on standard output for the next program
 * in the pipe, everything else on standard error for the person in front of it.
 */
final class Output {
  private final Environment environment;
  private final ResultStream results;
  private final PrintWriter out;
  private final PrintWriter err;

  @Option(names = "--json", description = "Print errors and results as JSON, one line each.")
  private boolean json;

  Output(Environment environment) {
    this.environment = environment;
    this.results = new ResultStream(environment.out());
    this.out = new PrintWriter(results, false, StandardCharsets.UTF_8);
    this.err = new PrintWriter(environment.err(), true, StandardCharsets.UTF_8);
  }

  /** Whether the user asked for JSON. */
  boolean json() {
    return json;
  }

  /** Standard output as characters and as they are, colours too: for help, not for results. */
  PrintWriter out() {
    return out;
  }

  /**
   * Standard output as bytes; not to be mixed with {@link #out()}. A file or a pipe gets them as
   * they are, a terminal what cannot steer it.
   */
  OutputStream bytes() {
    return environment.terminal().showsOutput() ? new PlainStream(results) : results;
  }

  /** Standard error. */
  PrintWriter err() {
    return err;
  }

  /** A line of the result, or several; on a terminal nothing in them steers it. */
  void print(String line) {
    out.print(environment.terminal().showsOutput() ? PlainText.lines(line) : line);
    out.print('\n');
    out.flush();
  }

  /** A result as one JSON object on one line. */
  void printJson(Map<String, Object> result) {
    print(new JsonMapper().writeValueAsString(result));
  }

  /** A line for the person, on standard error, where nothing in it steers the terminal. */
  void note(String line) {
    err.print(PlainText.wholeLine(line));
    err.print('\n');
    err.flush();
  }

  /** Whether a person sees standard error: where progress goes. */
  boolean person() {
    return environment.terminal().showsErrors();
  }
}
