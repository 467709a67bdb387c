package dev.countersign.cli;

import dev.countersign.client.CountersignClient;
import dev.countersign.client.CountersignException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code countersign call}: sends one signed request and prints the body of the answer. */
@Command(
    name = "call",
    mixinStandardHelpOptions = true,
    description = "Sends one signed request and prints the body of the answer as it came.",
    footer = {
      "",
      "Examples:",
      "  countersign call GET /ledger/v1/wallets?size=5",
      "  countersign call POST /ledger/v1/orders -d @order.json -H 'Idempotency-Key: 7f3c'",
    })
final class CallCommand implements Callable<Integer> {
  private final Environment environment;

  @Mixin private final Connection connection;
  @Mixin private final RequestOptions options;
  @Mixin private final Output output;

  @Parameters(index = "0", paramLabel = "METHOD", description = "GET, POST and so on.")
  private String method = "";

  @Parameters(
      index = "1",
      paramLabel = "URL",
      description = "An absolute URL, or a path under the base URL.")
  private String url = "";

  @Option(
      names = {"-i", "--include"},
      description = "Print the status and the headers of the answer too.")
  private boolean include;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the answer to a file.")
  private @Nullable String file;

  CallCommand(Environment environment) {
    this.environment = environment;
    this.connection = new Connection(environment);
    this.options = new RequestOptions(environment);
    this.output = new Output(environment);
  }

  @Override
  public Integer call() throws IOException {
    URI target = connection.resolve(url);
    CountersignClient client = connection.client(target);
    HttpRequest request = request(target);
    HttpResponse<byte[]> response = client.send(request);
    boolean refused = response.statusCode() >= 300;
    if (include || !refused) {
      print(response);
    }
    if (refused) {
      throw CountersignException.refused(request, response);
    }
    return ExitCode.OK.code();
  }

  private HttpRequest request(URI target) {
    HttpRequest typed = options.request(method, target);
    return typed.headers().firstValue("Accept").isPresent()
        ? typed
        : HttpRequest.newBuilder(typed, (name, value) -> true)
            .setHeader("Accept", "application/json")
            .build();
  }

  private void print(HttpResponse<byte[]> response) throws IOException {
    if (file == null) {
      write(response, output.bytes());
      return;
    }
    try (OutputStream out = Files.newOutputStream(environment.path(file))) {
      write(response, out);
    }
  }

  private void write(HttpResponse<byte[]> response, OutputStream out) throws IOException {
    if (include) {
      out.write(head(response).getBytes(StandardCharsets.UTF_8));
    }
    out.write(response.body());
    out.flush();
  }

  private static String head(HttpResponse<byte[]> response) {
    String version = response.version() == HttpClient.Version.HTTP_2 ? "HTTP/2 " : "HTTP/1.1 ";
    StringBuilder head = new StringBuilder(version + response.statusCode() + "\n");
    for (String name : new TreeSet<>(response.headers().map().keySet())) {
      for (String value : response.headers().allValues(name)) {
        head.append(name).append(": ").append(value).append('\n');
      }
    }
    return head.append('\n').toString();
  }
}
