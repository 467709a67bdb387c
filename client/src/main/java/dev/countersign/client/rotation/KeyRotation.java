package dev.countersign.client.rotation;

import dev.countersign.client.answers.Pause;
import dev.countersign.client.files.Directories;
import dev.countersign.protocol.BaseUrl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Replaces the key in a key file, at the service and on disk, in one call. Programs that sign with
 * the file through {@code PrivateKeyFile} continue without a restart.
 *
 * <pre>{@code
 * RotatedKey key = KeyRotation.of(baseUri, clientId, Path.of("partner.key")).rotate();
 * }</pre>
 *
 * <p>The rotation first writes the new key to disk, as {@code partner.key.next}. It then registers
 * the key with a request that both keys sign (RFC 9421 section 4.3). After the service has
 * confirmed, the rotation pauses until the other nodes of the service know the new key: two
 * seconds, or a quarter of the overlap if that is shorter. The nodes need at most one second, so
 * with an overlap of less than four seconds the pause may be too short. Finally the old key is kept
 * as {@code partner.key.previous}, {@code partner.pub} is rewritten if it exists and holds the old
 * key's public half, and {@code .next} is renamed to {@code partner.key}. Each of these steps is
 * durable.
 *
 * <p>The overlap begins when the service registers the new key; until the overlap ends, the service
 * also accepts the old key. After a crash at any point, the key file works until the end of the
 * overlap, and the next call continues with the same new key. If that call is made before the
 * overlap ends, there is no moment without a working key.
 *
 * <p>One of the client's roles must allow {@code integrations:keys:create}.
 */
public final class KeyRotation {
  private static final Duration STANDARD_OVERLAP = Duration.ofDays(1);
  private static final Duration MAXIMUM_OVERLAP = Duration.ofDays(30);

  private final BaseUrl base;
  private final String clientId;
  private final Path keyFile;
  private final RotationSettings settings;

  private KeyRotation(BaseUrl base, String clientId, Path keyFile, RotationSettings settings) {
    this.base = base;
    this.clientId = clientId;
    this.keyFile = keyFile;
    this.settings = settings;
  }

  /**
   * A rotation with an overlap of one day and a new key of the same size as the old one.
   *
   * @param baseUri address of the service, such as {@code https://api.example.com}, optionally with
   *     a path
   * @param clientId the clientId under which the key is registered
   * @param keyFile a private key in PEM; if it is encrypted, {@link #withPassphrase} is required
   * @throws IllegalArgumentException when the base is not an http or https address with a host, or
   *     has a user, a query or a fragment
   */
  public static KeyRotation of(URI baseUri, String clientId, Path keyFile) {
    RotationSettings settings =
        new RotationSettings(
            STANDARD_OVERLAP,
            null,
            null,
            Clock.systemUTC(),
            duration -> Thread.sleep(duration.toMillis()),
            step -> {},
            KeyRotation::log,
            null);
    return new KeyRotation(
        new BaseUrl(baseUri), Objects.requireNonNull(clientId, "clientId"), keyFile, settings);
  }

  private static void log(String warning) {
    System.getLogger(KeyRotation.class.getName()).log(System.Logger.Level.WARNING, warning);
  }

  /**
   * Sets how long the service accepts the old key beside the new one: 1 second to 30 days. Default:
   * one day.
   */
  public KeyRotation withOverlap(Duration overlap) {
    if (overlap.toSeconds() < 1 || overlap.compareTo(MAXIMUM_OVERLAP) > 0) {
      throw new IllegalArgumentException("overlap must be 1 second to 30 days, was " + overlap);
    }
    return with(settings.withOverlap(overlap));
  }

  /** Sets the size of the new key, 2048 to 8192 bits. Default: that of the old key. */
  public KeyRotation withKeySize(int bits) {
    if (bits < 2048 || bits > 8192) {
      throw new IllegalArgumentException("bits must be 2048 to 8192, was " + bits);
    }
    return with(settings.withBits(bits));
  }

  /**
   * Uses this HTTP client.
   *
   * @throws IllegalArgumentException when the client follows redirects by itself, because a
   *     signature is valid for one URL only
   */
  public KeyRotation withHttpClient(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException(
          "the client must not follow redirects; build it with followRedirects(Redirect.NEVER)");
    }
    return with(settings.withHttp(client));
  }

  /** Uses this clock. */
  public KeyRotation withClock(Clock clock) {
    return with(settings.withClock(clock));
  }

  /**
   * Sets the passphrase of a key file in encrypted PKCS#8. The new key is encrypted under it as
   * well, by PBES2 with AES-256 (RFC 8018 section 6.2). No file of the rotation holds the new key
   * unencrypted.
   *
   * @param passphrase called once for each rotation, and only if the file is encrypted; the
   *     returned array is overwritten with zeros after use
   */
  public KeyRotation withPassphrase(Supplier<char[]> passphrase) {
    return with(settings.withPassphrase(passphrase));
  }

  /**
   * Sends the warnings of a successful rotation to this consumer, one line each, instead of the
   * {@link System.Logger}.
   */
  public KeyRotation withWarnings(Consumer<String> consumer) {
    return with(settings.withWarnings(consumer));
  }

  KeyRotation withPause(Pause pause) {
    return with(settings.withPause(pause));
  }

  KeyRotation withListener(RotationStep.Listener listener) {
    return with(settings.withSteps(listener));
  }

  private KeyRotation with(RotationSettings other) {
    return new KeyRotation(base, clientId, keyFile, other);
  }

  /**
   * Rotates the key, or completes a rotation that was interrupted.
   *
   * @throws RotationException when the service refuses, when the rotation is not possible, or when
   *     it is unknown whether the service has the new key; the message says whether the new key is
   *     kept
   * @throws RuntimeException any exception that the passphrase supplier throws; nothing has been
   *     written in this case
   */
  @SuppressWarnings("try") // The lock only has to be held.
  public RotatedKey rotate() {
    try {
      Path file = existingFile();
      RotationLock lock = RotationLock.of(Directories.beside(file, ".lock"));
      try (lock;
          KeyFileCodec codec = new KeyFileCodec(settings.passphrase())) {
        RotationFiles files = new RotationFiles(file, codec, settings);
        return new RotationRun(base, clientId, files, settings).rotate();
      }
    } catch (IOException e) {
      throw new RotationException(
          "key_not_written",
          "the files beside "
              + keyFile
              + " cannot be written: "
              + e
              + ". Rotate again once they can, and do not delete any of them",
          e);
    }
  }

  /** Returns the file to rotate. A symbolic link stays: the file that it points to is replaced. */
  private Path existingFile() throws IOException {
    try {
      return keyFile.toRealPath();
    } catch (NoSuchFileException e) {
      throw new RotationException("key_unusable", keyFile + ": there is no such file");
    }
  }
}
