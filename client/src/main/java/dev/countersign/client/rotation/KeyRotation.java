package dev.countersign.client.rotation;

import dev.countersign.client.files.Directories;
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
 * Replaces the key in a key file, at the service and on the disk, in one call. Programs that sign
 * with the file by {@code PrivateKeyFile} go on without a restart.
 *
 * <pre>{@code
 * RotatedKey key = KeyRotation.of(baseUri, clientId, Path.of("partner.key")).rotate();
 * }</pre>
 *
 * <p>The new key is on the disk, as {@code partner.key.next}, before the service hears of it by a
 * request that both keys sign (RFC 9421 section 4.3). Once the service has said that it has it,
 * there is a pause of two seconds, or of a quarter of the overlap where that is shorter, in which
 * the other nodes of the service learn of it: they do within a second, so that an overlap of less
 * than four seconds may end the pause before they have. Then the old key is kept as {@code
 * partner.key.previous}, {@code partner.pub} is rewritten where there is one that holds the old
 * key's public half, and {@code .next} is renamed to {@code partner.key}, all durably.
 *
 * <p>The service takes the old key until the overlap ends, which begins when it registers the new
 * one. A crash at any point leaves a key file that works until then, and the next call goes on from
 * there with the same new key; made before the overlap ends, it leaves no moment without a key that
 * works.
 *
 * <p>One of the client's roles must allow {@code integrations:keys:create}.
 */
public final class KeyRotation {
  private static final Duration STANDARD_OVERLAP = Duration.ofDays(1);
  private static final Duration MAXIMUM_OVERLAP = Duration.ofDays(30);

  private final ServiceBase base;
  private final String clientId;
  private final Path keyFile;
  private final Settings settings;

  private KeyRotation(ServiceBase base, String clientId, Path keyFile, Settings settings) {
    this.base = base;
    this.clientId = clientId;
    this.keyFile = keyFile;
    this.settings = settings;
  }

  /**
   * A rotation with an overlap of a day and a new key as long as the old one.
   *
   * @param baseUri where the service is, {@code https://api.example.com}, perhaps with a path
   * @param clientId under which the key is registered
   * @param keyFile a private key in PEM; with a passphrase for {@link #withPassphrase}
   * @throws IllegalArgumentException when the base is no http or https address with a host, or has
   *     a user, a query or a fragment
   */
  public static KeyRotation of(URI baseUri, String clientId, Path keyFile) {
    Settings settings =
        new Settings(
            STANDARD_OVERLAP,
            null,
            null,
            Clock.systemUTC(),
            duration -> Thread.sleep(duration.toMillis()),
            step -> {},
            KeyRotation::log,
            null);
    return new KeyRotation(
        new ServiceBase(baseUri), Objects.requireNonNull(clientId, "clientId"), keyFile, settings);
  }

  private static void log(String warning) {
    System.getLogger(KeyRotation.class.getName()).log(System.Logger.Level.WARNING, warning);
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

  /**
   * The passphrase of a key file in encrypted PKCS#8, under which the new key is written as well,
   * by PBES2 with AES-256 (RFC 8018 section 6.2). No file of the rotation holds it in the clear.
   *
   * @param passphrase asked once for each rotation, and only where the file is encrypted; the array
   *     that it gives is overwritten with zeros after use
   */
  public KeyRotation withPassphrase(Supplier<char[]> passphrase) {
    return with(settings.withPassphrase(passphrase));
  }

  /**
   * Warnings of a rotation that succeeds given to this consumer, one line each, and not to the
   * {@link System.Logger}.
   */
  public KeyRotation withWarnings(Consumer<String> consumer) {
    return with(settings.withWarnings(consumer));
  }

  KeyRotation withPause(RotationCall.Pause pause) {
    return with(settings.withPause(pause));
  }

  KeyRotation withListener(RotationStep.Listener listener) {
    return with(settings.withSteps(listener));
  }

  private KeyRotation with(Settings other) {
    return new KeyRotation(base, clientId, keyFile, other);
  }

  /**
   * Rotates the key, or ends a rotation that was interrupted.
   *
   * @throws RotationException when the service refuses, when it cannot be done, or when it is not
   *     known whether the service has the new key; the message says what became of that
   * @throws RuntimeException whatever the passphrase's supplier throws, before anything is written
   */
  @SuppressWarnings("try") // The lock is held, which is all the use that it has.
  public RotatedKey rotate() {
    try {
      // A link stays a link: what is replaced is the file that it leads to.
      Path file = keyFile.toRealPath();
      RotationLock lock = RotationLock.of(Directories.beside(file, ".lock"));
      try (lock;
          KeyForms forms = new KeyForms(settings.passphrase())) {
        RotationFiles files = new RotationFiles(file, forms, settings);
        return new RotationRun(base, clientId, files, settings).rotate();
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
}
