package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The RSA private key in a PEM file: PKCS#8 (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-10">RFC 7468, section 10</a>), PKCS#8
 * encrypted as {@code openssl genpkey -aes256} does it (section 11, PBES2), or PKCS#1; 2048 to 8192
 * bits.
 *
 * <pre>{@code
 * KeySource key = PrivateKeyFile.of(Path.of("partner.key"));
 * }</pre>
 *
 * <p>A file that is replaced is used from the next signature on, without a restart. While it is
 * broken or missing the key that was read before stays in use, and a warning says so. A file that
 * others than its owner can read is warned of when it is read, once while its mode stays the same.
 */
public final class PrivateKeyFile implements KeySource {
  private final Path path;
  private final @Nullable Supplier<char[]> passphrase;
  private final WatchedFile watched;

  private PrivateKeyFile(
      Path path, @Nullable Supplier<char[]> passphrase, Consumer<String> warnings) {
    this.path = path;
    this.passphrase = passphrase;
    PemKey format = new PemKey(path, passphrase);
    this.watched = new WatchedFile(path, format::read, warnings);
  }

  /** A file without a passphrase. It is read at the first signature, not here. */
  public static PrivateKeyFile of(Path path) {
    return new PrivateKeyFile(path, null, FileMode.toLog(PrivateKeyFile.class));
  }

  /**
   * A file that a passphrase protects.
   *
   * @param passphrase asked each time that the file is read; the array that it gives is overwritten
   *     with zeros after use, so it gives a new one each time
   */
  public static PrivateKeyFile of(Path path, Supplier<char[]> passphrase) {
    return new PrivateKeyFile(path, passphrase, FileMode.toLog(PrivateKeyFile.class));
  }

  /** The same file, its warnings given to this consumer and not to the {@link System.Logger}. */
  public PrivateKeyFile withWarnings(Consumer<String> warnings) {
    return new PrivateKeyFile(path, passphrase, warnings);
  }

  public Path path() {
    return path;
  }

  /**
   * The public half of the key that the file holds now, which is what is registered.
   *
   * @throws KeyException when there is no key that can be used
   */
  public RSAPublicKey publicKey() {
    return watched.key().publicKey();
  }

  @Override
  public SigningKey signingKey(String clientId) {
    return watched.key().as(clientId);
  }

  @Override
  public String toString() {
    return "PrivateKeyFile[" + path + "]";
  }
}
