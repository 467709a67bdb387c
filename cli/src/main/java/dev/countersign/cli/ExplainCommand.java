package dev.countersign.cli;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code countersign explain}: explains why a request is refused. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Explains why a request is refused, and how to fix it.",
      "With METHOD and URL it signs and sends the request, as call does. With --request FILE it"
          + " examines a captured request offline: the more options you give, the more it finds.",
      "Exit code 0: accepted, or verified. 5: refused, or not checked because there is no public"
          + " key."
    },
    footer = {
      "",
      "Examples:",
      "  countersign explain GET '/ledger/v1/wallets?sort=name,asc'",
      "  countersign explain --request request.http --public-key client.pub",
    })
final class ExplainCommand implements Callable<Integer> {
  private final Environment environment;
  private final Connection connection;

  @Mixin private final RequestOptions options;
  @Mixin private final CaptureOptions capture;
  @Mixin private final Output output;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "METHOD",
      description = "The HTTP method, such as GET.")
  private @Nullable String method;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "URL",
      description = "An absolute URL, or a path under the base URL.")
  private @Nullable String url;

  @Option(
      names = "--base",
      paramLabel = "FILE",
      description = "The signature base that your own program signed.")
  private @Nullable String baseFile;

  @Option(
      names = "--signed-url",
      paramLabel = "URL",
      description = "The URL that your own program called.")
  private @Nullable String signedUrl;

  ExplainCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.options = new RequestOptions(environment);
    this.capture = new CaptureOptions(environment, connection);
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    if (capture.hasRequest()) {
      if (method != null || options.areGiven()) {
        throw CliException.usage(
            "--request FILE holds the whole request: leave out METHOD, -d and -H");
      }
      new OfflineExplanation(environment, output).explain(capture, baseFile, signedUrl);
      return ExitCode.OK.code();
    }
    if (method == null || url == null) {
      throw CliException.usage("give METHOD and URL, or --request FILE");
    }
    refuseRequestFileOptions();
    new OnlineExplanation(connection, output)
        .sendAndExplain(options.request(method, connection.resolve(url)), capture.publicKey());
    return ExitCode.OK.code();
  }

  private void refuseRequestFileOptions() {
    List<String> given = new ArrayList<>(capture.givenRequestOptions());
    if (baseFile != null) {
      given.add("--base");
    }
    if (signedUrl != null) {
      given.add("--signed-url");
    }
    if (!given.isEmpty()) {
      throw CliException.usage("--request FILE is required for " + String.join(" and ", given));
    }
  }
}
