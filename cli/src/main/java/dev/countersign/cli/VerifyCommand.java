package dev.countersign.cli;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.cli.explain.CapturedCheck;
import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code countersign verify}: verifies a captured request offline, as a service would.
 */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Verifies a captured request offline and prints its signature base.",
      "Exit code 0: verified. 5: not verified; the reason is on standard error."
    },
    footer = {
      "",
      "Example:",
      "  countersign verify --request call.http --public-key my.pub --ignore-time",
    })
final class VerifyCommand implements Callable<Integer> {
  private final Environment environment;

  @Mixin private final CaptureOptions capture;
  @Mixin private final Output output;

  @Option(names = "--ignore-time", description = "Accept a signature of any age.")
  private boolean ignoreTime;

  VerifyCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.capture = new CaptureOptions(environment, connection);
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    RSAPublicKey key =
        capture
            .publicKey()
            .orElseThrow(
                () -> CliException.usage("there is no key: give --public-key FILE or --key FILE"));
    if (ignoreTime && capture.time().isPresent()) {
      throw CliException.usage("--at and --ignore-time cannot be used together: give one");
    }
    CapturedRequest request = capture.request();
    String base = CapturedCheck.base(request).orElse("");
    CapturedCheck.refusedHost(request)
        .ifPresent(
            problem -> {
              throw printRefusal(
                  new CliException(ExitCode.NOT_VERIFIED, Reason.REQUEST_MALFORMED.word(), problem),
                  base);
            });
    capture
        .otherClient(request)
        .ifPresent(
            other -> {
              throw printRefusal(other, base);
            });
    try {
      printVerified(verifier(request, key).verify(request, request.body()), key);
      return ExitCode.OK.code();
    } catch (VerificationException refused) {
      CliException failure =
          new CliException(
              ExitCode.NOT_VERIFIED, Reason.of(refused.failure()).word(), message(refused));
      throw printRefusal(failure, base);
    }
  }

  /** Prints the details of a refusal, and returns the failure for the caller to throw. */
  private CliException printRefusal(CliException refusal, String base) {
    if (output.json()) {
      output.print(VerifiedText.json(refusal, base));
    } else if (!base.isEmpty()) {
      output.print(base);
    }
    return base.isEmpty() ? refusal : refusal.addMember("signatureBase", base);
  }

  private static String message(VerificationException refused) {
    return refused.failure() == VerificationFailure.SIGNATURE_MISMATCH
        ? "the signature does not match this signature base and this key;"
            + " to find the cause, run countersign explain with the same files"
        : String.valueOf(refused.getMessage());
  }

  private MessageVerifier verifier(CapturedRequest request, RSAPublicKey key) {
    CryptoProvider crypto = CryptoProvider.jdk();
    VerificationKey verificationKey =
        new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, key, crypto);
    Clock clock =
        ignoreTime
            ? Clock.fixed(CapturedCheck.created(request), ZoneOffset.UTC)
            : capture
                .time()
                .map(time -> Clock.fixed(time, ZoneOffset.UTC))
                .orElse(environment.clock());
    return new MessageVerifier(
        PartnerProfile.REQUEST, keyid -> List.of(verificationKey), clock, crypto);
  }

  private void printVerified(VerifiedSignature verified, RSAPublicKey key) {
    if (output.json()) {
      output.print(VerifiedText.json(verified, key));
      return;
    }
    output.print(verified.base().text());
    VerifiedText.lines(verified, key).forEach(output::note);
    if (ignoreTime) {
      output.note("not checked: the time");
    }
  }
}
