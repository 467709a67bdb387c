package dev.countersign.cli;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import java.net.http.HttpRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code countersign sign}: signs a request for another program to send. */
@Command(
    name = "sign",
    mixinStandardHelpOptions = true,
    description = {
      "Signs a request and prints the headers to send, one per line, or a curl command.",
      "A signature expires soon: send the request within minutes."
    },
    footer = {
      "",
      "Examples:",
      "  countersign sign GET '/ledger/v1/wallets?size=5'",
      "  countersign sign POST /ledger/v1/wallets -d @wallet.json --curl | sh",
    })
final class SignCommand implements Callable<Integer> {
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

  @Option(names = "--curl", description = "Print a complete curl command.")
  private boolean curl;

  SignCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.options = new RequestOptions(environment);
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    HttpRequest request = options.request(method, connection.resolve(url));
    HttpRequest signed = connection.signer().sign(request);
    if (curl) {
      refuseBodyFromStandardInput();
      output.print(CurlCommand.of(signed, options.data(), environment));
    } else if (output.json()) {
      output.print(json(signed));
    } else {
      signed
          .headers()
          .map()
          .forEach((name, values) -> values.forEach(value -> output.print(name + ": " + value)));
    }
    return ExitCode.OK.code();
  }

  private void refuseBodyFromStandardInput() {
    if (options.data().filter("@-"::equals).isPresent()) {
      throw CliException.usage(
          "-d @- cannot be used with --curl: standard input has been read, and curl would find"
              + " nothing; put the body into a file and give -d @FILE");
    }
  }

  private static String json(HttpRequest signed) {
    JsonMapper json = JsonMapper.shared();
    ObjectNode document = json.createObjectNode();
    document.put("method", signed.method());
    document.put("url", signed.uri().toString());
    ObjectNode headers = document.putObject("headers");
    signed.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
    return json.writeValueAsString(document);
  }
}
