package dev.countersign.cli;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.CountersignClient;
import dev.countersign.client.CountersignException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code countersign call}: sends one signed request and prints the body of the
 * response.
 */
@Command(
    name = "call",
    mixinStandardHelpOptions = true,
    description = "Sends one signed request and prints the body of the response unchanged.",
    footer = {
      "",
      "Examples:",
      "  countersign call GET /ledger/v1/wallets?size=5",
      "  countersign call POST /ledger/v1/orders -d @order.json -H 'Idempotency-Key: 7f3c'",
    })
final class CallCommand implements Callable<Integer> {
  private final Environment environment;
  private final Connection connection;

  @Mixin private final RequestOptions options;
  @Mixin private final Output output;

  @Parameters(index = "0", paramLabel = "METHOD", description = "The HTTP method, such as GET.")
  private String method = "";

  @Parameters(
      index = "1",
      paramLabel = "URL",
      description = "An absolute URL, or a path under the base URL.")
  private String url = "";

  @Option(
      names = {"-i", "--include"},
      description = "Also print the status and the headers of the response.")
  private boolean include;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the response to a file.")
  private @Nullable String file;

  CallCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.options = new RequestOptions(environment);
    this.output = new Output(environment);
  }

  @Override
  public Integer call() throws IOException {
    URI target = connection.resolve(url);
    CountersignClient client = connection.client(target);
    HttpRequest request = options.request(method, target);
    HttpResponse<byte[]> response = sendAndPrint(client, request);
    if (response.statusCode() >= 300) {
      throw CountersignException.refused(request, response);
    }
    return ExitCode.OK.code();
  }

  /** Sends the request, and writes the response to standard output or to the file. */
  private HttpResponse<byte[]> sendAndPrint(CountersignClient client, HttpRequest request)
      throws IOException {
    if (file == null) {
      HttpResponse<byte[]> response = client.send(request);
      OutputStream out = output.bytes();
      out.write(outputOf(response));
      out.flush();
      return response;
    }
    try (AnswerFile answer = AnswerFile.open(environment.path(file))) {
      HttpResponse<byte[]> response = client.send(request);
      if (isPrinted(response)) {
        answer.write(outputOf(response));
      }
      return response;
    }
  }

  private boolean isPrinted(HttpResponse<byte[]> response) {
    return include || response.statusCode() < 300;
  }

  private byte[] outputOf(HttpResponse<byte[]> response) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    if (include) {
      all.write(head(response).getBytes(StandardCharsets.UTF_8));
    }
    if (isPrinted(response)) {
      all.write(response.body());
    }
    return all.toByteArray();
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
