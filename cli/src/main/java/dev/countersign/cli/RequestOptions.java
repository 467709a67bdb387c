package dev.countersign.cli;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The body and the headers of a request, as typed on the command line. */
final class RequestOptions {
  // RFC 9421 and RFC 9530: fields that signing creates.
  private static final Set<String> MADE_BY_SIGNING =
      Set.of("date", "signature", "signature-input", "content-digest");
  private static final String JSON = "application/json";

  private final Environment environment;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DATA|@FILE",
      description = "The body: the text itself, @FILE for a file, or @- for standard input.")
  private @Nullable String dataOption;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A further header; may be repeated.")
  private List<String> headers = new ArrayList<>();

  RequestOptions(Environment environment) {
    this.environment = environment;
  }

  /** The data as typed. */
  Optional<String> data() {
    return Optional.ofNullable(dataOption);
  }

  /** Returns whether a body or a header was given. */
  boolean areGiven() {
    return dataOption != null || !headers.isEmpty();
  }

  /**
   * Builds the unsigned request from the options. The request sends and accepts JSON unless a
   * header option names another type.
   */
  HttpRequest request(String method, URI target) {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(target);
      request.method(
          method.toUpperCase(Locale.ROOT),
          dataOption == null ? BodyPublishers.noBody() : RequestBody.of(dataOption, environment));
      headers.forEach(header -> add(header, request));
      if (!hasHeader("Accept")) {
        request.header("Accept", JSON);
      }
      if (dataOption != null && !hasHeader("Content-Type")) {
        request.header("Content-Type", JSON);
      }
      return request.build();
    } catch (IllegalArgumentException malformed) {
      throw CliException.usage(String.valueOf(malformed.getMessage()));
    }
  }

  private boolean hasHeader(String field) {
    return headers.stream().anyMatch(header -> name(header).equalsIgnoreCase(field));
  }

  private static String name(String header) {
    return header.substring(0, Math.max(header.indexOf(':'), 0)).strip();
  }

  private static void add(String header, HttpRequest.Builder request) {
    String name = name(header);
    if (name.isEmpty()) {
      throw CliException.usage("'" + header + "' must be 'Name: value'");
    }
    if (MADE_BY_SIGNING.contains(name.toLowerCase(Locale.ROOT))) {
      throw CliException.usage(name + " is set by signing: leave out -H '" + header + "'");
    }
    request.header(name, header.substring(header.indexOf(':') + 1).strip());
  }
}
