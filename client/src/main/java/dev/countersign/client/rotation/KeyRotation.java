package dev.countersign.client.rotation;

import dev.countersign.client.files.Directories;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.KeySource;
import dev.countersign.signatures.SigningException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Replaces the key in a key file, at the service and on the disk, in one call. Programs that sign
 * with the file by {@code PrivateKeyFile} go on without a restart.
 *
 * <pre>{@code
 * RotatedKey key = KeyRotation.of(baseUri, clientId, Path.of("partner.key")).rotate();
 * }</pre>
 *
 * <p>The new key is on the disk, as {@code partner.key.next}, before the service hears of it by a
 * request that both keys sign (RFC 9421 section 4.3). Two seconds later, by when all nodes of the
 * service know it, the old one is kept as {@code partner.key.previous}, {@code partner.pub} is
 * renewed where there is one, and {@code .next} is renamed to {@code partner.key}, all durably. The
 * old key is taken until the overlap ends. A crash at any point leaves a key that works; the next
 * call goes on from there with the same new key.
 *
 * <p>One of the client's roles must allow {@code integrations:keys:create}.
 */
public final class KeyRotation {
  private static final Duration STANDARD_OVERLAP = Duration.ofDays(1);
  private static final Duration MAXIMUM_OVERLAP = Duration.ofDays(30);
  private static final Duration SETTLING = Duration.ofSeconds(2);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final URI baseUri;
  private final String clientId;
  private final Path keyFile;
  private final Settings settings;

  private KeyRotation(URI baseUri, String clientId, Path keyFile, Settings settings) {
    this.baseUri = baseUri;
    this.clientId = clientId;
    this.keyFile = keyFile;
    this.settings = settings;
  }

  /**
   * A rotation with an overlap of a day and a new key as long as the old one.
   *
   * @param keyFile a private key in PEM without a passphrase
   */
  public static KeyRotation of(URI baseUri, String clientId, Path keyFile) {
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    Settings settings =
        new Settings(
            STANDARD_OVERLAP,
            OptionalInt.empty(),
            http,
            Clock.systemUTC(),
            duration -> Thread.sleep(duration.toMillis()),
            step -> {});
    return new KeyRotation(baseUri, clientId, keyFile, settings);
  }

  /** How long the old key is taken beside the new one: 1 second to 30 days, a day by default. */
  public KeyRotation withOverlap(Duration overlap) {
    if (overlap.toSeconds() < 1 || overlap.compareTo(MAXIMUM_OVERLAP) > 0) {
      throw new IllegalArgumentException("overlap must be 1 second to 30 days, was " + overlap);
    }
    return with(settings.withOverlap(overlap));
  }

  /** The new key's size, 2048 to 8192 bits; that of the old key by default. */
  public KeyRotation withKeySize(int bits) {
    if (bits < 2048 || bits > 8192) {
      throw new IllegalArgumentException("bits must be 2048 to 8192, was " + bits);
    }
    return with(settings.withBits(bits));
  }

  /**
   * Another client.
   *
   * @throws IllegalArgumentException when it follows redirects: what is signed is for one URL
   */
  public KeyRotation withHttpClient(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException(
          "the client must not follow redirects, build it with followRedirects(Redirect.NEVER)");
    }
    return with(settings.withHttp(client));
  }

  /** Another clock. */
  public KeyRotation withClock(Clock clock) {
    return with(settings.withClock(clock));
  }

  KeyRotation withPause(RotationCall.Pause pause) {
    return with(settings.withPause(pause));
  }

  KeyRotation withListener(RotationStep.Listener listener) {
    return with(settings.withSteps(listener));
  }

  private KeyRotation with(Settings other) {
    return new KeyRotation(baseUri, clientId, keyFile, other);
  }

  /**
   * Rotates the key, or ends a rotation that was interrupted.
   *
   * @throws dev.countersign.client.CountersignException when the service refuses; the new key is
   *     forgotten
   * @throws RotationException when it cannot be done, or it is not known whether the service has
   *     the new key, which is then kept
   */
  @SuppressWarnings("try") // The lock is held, which is all the use that it has.
  public RotatedKey rotate() {
    try {
      // A link stays a link: what is replaced is the file that it leads to.
      Path file = keyFile.toRealPath();
      RotationLock lock = RotationLock.of(Directories.beside(file, ".lock"));
      try (lock) {
        return rotate(new RotationFiles(file, settings.steps()));
      }
    } catch (NoSuchFileException e) {
      throw new RotationException("key_unusable", keyFile + ": there is no such file");
    } catch (IOException e) {
      throw new RotationException(
          "key_not_written",
          "the files beside "
              + keyFile
              + " cannot be written: "
              + e
              + ". Rotate again once they can, and delete none of them",
          e);
    }
  }

  private RotatedKey rotate(RotationFiles files) throws IOException {
    RSAPrivateCrtKey current = files.current();
    NextKey next = files.next(settings.bits().orElse(current.getModulus().bitLength()));
    RotationAnswer answer = send(current, next, files);
    if (!answer.isTaken()) {
      throw refused(answer, files);
    }
    RotatedKey rotated = registered(answer, next, files);
    settings.steps().reached(RotationStep.REGISTERED);
    settle(files);
    files.switchTo(next);
    return rotated;
  }

  // A service of several nodes knows the new key on all of them within a second; the old one works
  // meanwhile.
  private void settle(RotationFiles files) {
    Duration part = settings.overlap().dividedBy(4);
    try {
      settings.pause().sleep(part.compareTo(SETTLING) < 0 ? part : SETTLING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RotationException("interrupted", "before the switch" + kept("has", files), e);
    }
  }

  private RotationAnswer send(RSAPrivateCrtKey current, NextKey next, RotationFiles files) {
    RotationRequest request = new RotationRequest(baseUri, clientId, next, settings.overlap());
    try {
      return new RotationCall(settings.http(), settings.clock(), settings.pause())
          .send(request, KeySource.of(current), next);
    } catch (KeyException | SigningException | IllegalArgumentException e) {
      throw new RotationException("signing_failed", e.getMessage() + kept("may have", files), e);
    } catch (RotationException e) {
      throw keeping(e, files);
    }
  }

  private static RotatedKey registered(RotationAnswer answer, NextKey next, RotationFiles files) {
    try {
      return answer.rotated(next);
    } catch (RotationException e) {
      throw keeping(e, files);
    }
  }

  private static RotationException keeping(RotationException e, RotationFiles files) {
    return new RotationException(e.reason(), bare(e, e.reason()) + kept("may have", files), e);
  }

  private static RuntimeException refused(RotationAnswer answer, RotationFiles files)
      throws IOException {
    var refusal = answer.refusal();
    if (answer.isRefusedForGood()) {
      files.dropNext();
      return refusal;
    }
    return new RotationException(
        refusal.reason(), bare(refusal, refusal.reason()) + kept("may have", files), refusal);
  }

  /** The message without the reason that it begins with. */
  private static String bare(RuntimeException e, String reason) {
    return String.valueOf(e.getMessage()).substring(reason.length() + 2);
  }

  private static String kept(String has, RotationFiles files) {
    return ". The service "
        + has
        + " the new key, which is kept in "
        + files.nextFile()
        + ": rotate again before the overlap ends, and do not delete it";
  }
}
