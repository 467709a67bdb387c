package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.CountersignClient;
import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.protocol.Reason;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Sends one signed request, to find out whether the service accepts this client's signature. */
final class TrialCall {
  // The service checks the path only after the signature, and serves nothing at the root. These
  // refusals therefore show that it accepted the signature.
  private static final Set<String> SIGNATURE_ACCEPTED =
      Set.of(Reason.NOT_FOUND.word(), Reason.METHOD_NOT_ALLOWED.word());

  private final Environment environment;
  private final Output output;

  TrialCall(Environment environment, Output output) {
    this.environment = environment;
    this.output = output;
  }

  /**
   * Sends the request, and returns the outcome in one line.
   *
   * @throws CountersignException when the service refused the signature or did not respond
   */
  String run(Profile profile) {
    BaseUrl base = Urls.base(profile.value(ProfileSetting.BASE_URL).orElseThrow());
    String clientId = profile.value(ProfileSetting.CLIENT_ID).orElseThrow();
    Path key = environment.path(profile.value(ProfileSetting.KEY).orElseThrow());
    Optional<Path> passphraseFile =
        profile.value(ProfileSetting.PASSPHRASE_FILE).map(environment::path);
    KeyFile file = new KeyFile(key, new Passphrase(environment, passphraseFile));
    CountersignClient client =
        CountersignClient.builder(Urls.origin(base.uri()), clientId, file.source(output::note))
            .withClock(environment.clock())
            .build();
    HttpRequest request = HttpRequest.newBuilder(Urls.under(base, "/")).build();
    HttpResponse<byte[]> response = client.send(request);
    Problem problem =
        Problem.read(response).orElseThrow(() -> noService(base, response.statusCode()));
    if (!SIGNATURE_ACCEPTED.contains(problem.reason())) {
      throw CountersignException.refused(request, response);
    }
    return base + " accepts requests that " + clientId + " signs";
  }

  private static CliException noService(BaseUrl base, int status) {
    return new CliException(
        ExitCode.FAILED,
        "answer_malformed",
        base
            + " responded with status "
            + status
            + ", but not like a Countersign service: check the base URL");
  }
}
