package dev.countersign.server.app;

import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.commands.OperatorConsole;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code countersign serve}: runs the service until it is stopped. */
@Command(
    name = "serve",
    description =
        "Runs the service until Ctrl-C or a signal; requests in progress are completed first.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  ./countersign serve --port 8080 --data /var/lib/countersign --config countersign.yaml",
    })
final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = Port.class,
      description = "The port to listen on, or 0 for any free port (default: 8080).")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (default: ./data).")
  private Path data = Path.of("data");

  @Option(
      names = "--demo",
      description =
          "Also serve sample data: "
              + ServeOptions.DEMO_WALLETS
              + " wallets, in a database without wallets, and "
              + ServeOptions.DEMO_TRANSACTIONS
              + " transactions of the customers cust-1001 to cust-1004.")
  private boolean demo;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private final Application application;
  private final OperatorConsole console;

  ServeCommand(Application application, OperatorConsole console) {
    this.application = application;
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<String> settings = new ArrayList<>();
    if (port != null) {
      settings.add("server.port=" + port);
    }
    ServeOptions options = new ServeOptions(data, 0);
    RunningService service =
        RunningService.start(demo ? options.withDemo() : options, application.config(), settings);
    StopSignals.handle(service::stop);
    PrintWriter out = spec.commandLine().getOut();
    out.println("Countersign serves " + service.localUrl());
    service.portalUrl().ifPresent(url -> out.println("The portal is at " + url));
    service.metricsPort().ifPresent(port -> out.println("The metrics are on port " + port));
    new FirstLinkNotice(console, out, data).show(service.firstLink());
    out.flush();
    if (service.part(ClientRegistry.class).isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("No client is registered yet; see: ./countersign clients add --help");
    }
    service.awaitEnd();
    return 0;
  }

  /** Parses the number of a TCP port; 0 means any free port. */
  static final class Port implements ITypeConverter<Integer> {
    private static final int MAX_PORT = 65_535;

    @Override
    public Integer convert(String text) {
      int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
      if (port < 0 || port > MAX_PORT) {
        throw new TypeConversionException("must be 0 to " + MAX_PORT + ", was " + text);
      }
      return port;
    }
  }
}
