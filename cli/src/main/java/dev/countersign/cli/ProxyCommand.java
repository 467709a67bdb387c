package dev.countersign.cli;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.profile.Urls;
import dev.countersign.cli.proxy.SigningProxy;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.RequestSigner;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.protocol.PlainText;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code countersign proxy}: signs requests that a graphical client sends to this
 * machine.
 */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = {
      "Signs requests that Postman, Insomnia or a browser sends to localhost, and forwards them.",
      "Listens on this machine only, and refuses requests that web pages from other origins send."
    },
    footer = {
      "",
      "Example:",
      "  countersign proxy --target https://api.example.com",
      "  then call http://localhost:9090/ledger/v1/wallets",
    })
final class ProxyCommand implements Callable<Integer> {
  private static final int LAST_PORT = 65_535;

  private final Environment environment;
  private final Connection connection;

  @Mixin private final Output output;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port to listen on (default: ${DEFAULT-VALUE}); 0 chooses a free port.",
      defaultValue = "9090")
  private int port;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "The service to call (default: the base URL).")
  private @Nullable String target;

  ProxyCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    if (port < 0 || port > LAST_PORT) {
      throw CliException.usage("--port must be 0 to " + LAST_PORT + ", was " + port);
    }
    BaseUrl service = target == null ? connection.baseUrl() : Urls.base(target);
    try (SigningProxy proxy = start(service)) {
      if (service.exposesRequests()) {
        output.note(
            "warning: anybody between here and "
                + service
                + " can read the requests; use https if the service supports it");
      }
      output.note(
          "http://localhost:" + proxy.port() + " signs for " + service + "; stop it with Ctrl-C");
      new CountDownLatch(1).await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.INTERRUPTED.code();
  }

  private SigningProxy start(BaseUrl service) {
    RequestSigner signer = connection.signer();
    // Reports an unusable key now rather than at the first request.
    signer.sign(HttpRequest.newBuilder(service.uri()).build());
    try {
      return SigningProxy.start(
          port,
          service,
          signer,
          environment.clock(),
          line -> output.note(PlainText.compactLine(line)));
    } catch (IOException taken) {
      throw new CliException(
          ExitCode.FAILED,
          "port_unusable",
          "port "
              + port
              + " cannot be used: "
              + taken.getMessage()
              + "; choose another port with --port");
    }
  }
}
