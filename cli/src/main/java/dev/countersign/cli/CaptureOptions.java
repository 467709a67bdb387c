package dev.countersign.cli;

import dev.countersign.cli.captured.CaptureException;
import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.cli.captured.Scheme;
import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.profile.KeyFile;
import dev.countersign.cli.profile.ProfileSetting;
import dev.countersign.cli.profile.Urls;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.net.URI;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for a captured request and the known facts about it. Reads files or standard input,
 * and sends nothing.
 */
final class CaptureOptions {
  private final Environment environment;
  private final Connection connection;

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "A raw HTTP request: request line, headers, empty line, body; - for stdin.")
  private @Nullable String requestOption;

  @Option(
      names = "--public-key",
      paramLabel = "FILE",
      description = "The public key of the client that signed: PEM, or a certificate.")
  private @Nullable String publicKeyOption;

  @Option(
      names = "--scheme",
      paramLabel = "http|https",
      description = "The scheme of the URL called (default: http for localhost, else https).")
  private @Nullable Scheme schemeOption;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "When the request arrived: 2026-11-20T19:02:55Z, or Unix seconds.")
  private @Nullable String timeOption;

  CaptureOptions(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
  }

  boolean hasRequest() {
    return requestOption != null;
  }

  /** The given options that apply only to a captured request. */
  List<String> givenRequestOptions() {
    List<String> given = new ArrayList<>();
    if (timeOption != null) {
      given.add("--at");
    }
    if (schemeOption != null) {
      given.add("--scheme");
    }
    return given;
  }

  /**
   * Reads the request, whichever client it names.
   *
   * @throws CliException when it cannot be read
   */
  CapturedRequest request() {
    if (requestOption == null) {
      throw CliException.usage("there is no request: give --request FILE");
    }
    try {
      return requestOption.equals("-")
          ? CapturedRequest.read(environment.in(), scheme())
          : CapturedRequest.readFile(environment.path(requestOption), scheme());
    } catch (CaptureException malformed) {
      throw new CliException(
          ExitCode.FAILED, "request_unreadable", requestOption + ": " + malformed.getMessage());
    }
  }

  private Optional<Scheme> scheme() {
    if (schemeOption == null) {
      return connection
          .given(ProfileSetting.BASE_URL)
          .map(Urls::base)
          .map(base -> schemeOf(base.uri()));
    }
    if (connection.option(ProfileSetting.BASE_URL).isPresent()) {
      throw CliException.usage("--scheme and --base-url cannot be used together: give one");
    }
    return Optional.of(schemeOption);
  }

  private static Scheme schemeOf(URI url) {
    return Scheme.valueOf(url.getScheme().toUpperCase(Locale.ROOT));
  }

  /**
   * Returns a failure if the request names a client other than the {@linkplain Connection#given
   * given} one.
   */
  Optional<CliException> otherClient(CapturedRequest request) {
    return connection
        .given(ProfileSetting.CLIENT_ID)
        .flatMap(
            client ->
                keyid(request)
                    .filter(keyid -> !keyid.equals(client))
                    .map(keyid -> otherClient(keyid, client)));
  }

  private static CliException otherClient(String keyid, String client) {
    return new CliException(
        ExitCode.NOT_VERIFIED,
        "client_other",
        "the signature's keyid is '" + keyid + "', not the clientId '" + client + "'");
  }

  /** The keyid; empty if the signature fields are malformed or do not follow the profile. */
  private static Optional<String> keyid(CapturedRequest request) {
    try {
      return PartnerProfile.REQUEST.read(request).checkProfile().parameters().keyid();
    } catch (VerificationException malformed) {
      return Optional.empty();
    }
  }

  /**
   * The key to verify with: the given public key, or else, for a captured request, the public half
   * of --key.
   *
   * @throws CliException when both keys are given, since one of them would be ignored
   */
  Optional<RSAPublicKey> publicKey() {
    if (publicKeyOption != null
        && hasRequest()
        && connection.option(ProfileSetting.KEY).isPresent()) {
      throw CliException.usage("--public-key and --key cannot be used together: give one");
    }
    if (publicKeyOption != null) {
      return Optional.of(read(environment.path(publicKeyOption)));
    }
    return hasRequest() ? connection.givenKey().map(this::publicHalf) : Optional.empty();
  }

  private RSAPublicKey publicHalf(KeyFile key) {
    return key.publicKey(new Output(environment)::note);
  }

  private static RSAPublicKey read(Path file) {
    try {
      return RsaPublicKeys.readPastedFile(file, CryptoProvider.jdk());
    } catch (KeyFileException unusable) {
      throw new CliException(
          ExitCode.FAILED, "key_unusable", String.valueOf(unusable.getMessage()));
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
      throw CliException.usage(
          "--at must be a time such as 2026-11-20T19:02:55Z or 1795201375, was " + text);
    }
  }
}
