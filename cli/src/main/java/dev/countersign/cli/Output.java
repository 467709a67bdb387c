package dev.countersign.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;
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

  /** Standard output as characters; a command flushes it when it is done. */
  PrintWriter out() {
    return out;
  }

  /** Standard output as bytes; not to be mixed with {@link #out()}. */
  OutputStream bytes() {
    return results;
  }

  /** Standard error. */
  PrintWriter err() {
    return err;
  }

  /** A line of the result. */
  void print(String line) {
    out.print(line);
    out.print('\n');
    out.flush();
  }

  /** A result as one JSON object on one line. */
  void printJson(Map<String, Object> result) {
    print(new JsonMapper().writeValueAsString(result));
  }

  /** A line for the person, on standard error. */
  void note(String line) {
    err.print(line);
    err.print('\n');
    err.flush();
  }

  /** Whether a person sees standard error: where progress goes. */
  boolean person() {
    return environment.terminal().showsErrors();
  }

  /** Picocli markup such as {@code @|bold text|@} for standard output, coloured or plain. */
  String styledOut(String markup) {
    return ansi(environment.terminal().showsOutput()).string(markup);
  }

  /** Picocli markup for standard error, coloured or plain. */
  String styledErr(String markup) {
    return ansi(environment.terminal().showsErrors()).string(markup);
  }

  private Ansi ansi(boolean terminal) {
    return environment.colours(terminal) ? Ansi.ON : Ansi.OFF;
  }
}
