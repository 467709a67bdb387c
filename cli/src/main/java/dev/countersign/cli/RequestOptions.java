package dev.countersign.cli;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Body and headers of a request that is typed on the command line. */
final class RequestOptions {
  private final Environment environment;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DATA|@FILE",
      description = "The body: as typed, from a file, or @- for standard input.")
  private @Nullable String dataOption;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A further header; may be repeated.")
  private List<String> headers = new ArrayList<>();

  RequestOptions(Environment environment) {
    this.environment = environment;
  }

  /** The data as it was typed. */
  Optional<String> data() {
    return Optional.ofNullable(dataOption);
  }

  /** Whether a header was typed; a body has a Content-Type in any case. */
  boolean areGiven() {
    return dataOption != null || !headers.isEmpty();
  }

  /** The request, not signed yet. */
  HttpRequest request(String method, URI target) {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(target);
      request.method(
          method.toUpperCase(Locale.ROOT),
          dataOption == null ? BodyPublishers.noBody() : RequestBody.of(dataOption, environment));
      if (dataOption != null) {
        request.setHeader("Content-Type", "application/json");
      }
      headers.forEach(header -> add(header, request));
      return request.build();
    } catch (IllegalArgumentException malformed) {
      throw Failure.usage(String.valueOf(malformed.getMessage()));
    }
  }

  private static void add(String header, HttpRequest.Builder request) {
    int colon = header.indexOf(':');
    if (colon < 1) {
      throw Failure.usage("'" + header + "' must be 'Name: value'");
    }
    request.setHeader(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
  }
}
