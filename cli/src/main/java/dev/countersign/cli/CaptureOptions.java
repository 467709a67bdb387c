package dev.countersign.cli;

import dev.countersign.cli.captured.CaptureException;
import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.cli.captured.Scheme;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A captured request and what is known of it; all of it is read from files, nothing is sent. */
final class CaptureOptions {
  private final Environment environment;

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "A raw HTTP request: request line, headers, empty line, body.")
  private @Nullable String requestOption;

  @Option(
      names = "--public-key",
      paramLabel = "FILE",
      description = "The public key of the client that signed: PEM, or a certificate.")
  private @Nullable String publicKeyOption;

  @Option(
      names = "--scheme",
      paramLabel = "http|https",
      description = "Of the URL that was called (default: https, but http for localhost).")
  private @Nullable Scheme scheme;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "When the request arrived: 2026-11-20T19:02:55Z, or Unix seconds.")
  private @Nullable String timeOption;

  CaptureOptions(Environment environment) {
    this.environment = environment;
  }

  boolean hasRequest() {
    return requestOption != null;
  }

  CapturedRequest request() {
    if (requestOption == null) {
      throw Failure.usage("there is no request: give --request FILE");
    }
    try {
      return CapturedRequest.readFile(environment.path(requestOption), Optional.ofNullable(scheme));
    } catch (CaptureException malformed) {
      throw new Failure(
          ExitCode.FAILED, "request_unreadable", requestOption + ": " + malformed.getMessage());
    }
  }

  Optional<RSAPublicKey> publicKey() {
    return Optional.ofNullable(publicKeyOption).map(environment::path).map(CaptureOptions::read);
  }

  private static RSAPublicKey read(Path file) {
    try {
      return RsaPublicKeys.readFile(file, CryptoProvider.jdk());
    } catch (KeyFileException unusable) {
      throw new Failure(ExitCode.FAILED, "key_unusable", String.valueOf(unusable.getMessage()));
    }
  }

  Optional<Instant> time() {
    return Optional.ofNullable(timeOption).map(CaptureOptions::instant);
  }

  private static Instant instant(String text) {
    try {
      return text.matches("[0-9]{1,12}")
          ? Instant.ofEpochSecond(Long.parseLong(text))
          : Instant.parse(text);
    } catch (DateTimeException malformed) {
      throw Failure.usage(
          "--at must be a time such as 2026-11-20T19:02:55Z or 1795201375, was " + text);
    }
  }
}
