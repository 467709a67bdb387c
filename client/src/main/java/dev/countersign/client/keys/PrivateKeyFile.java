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
 * encrypted as by {@code openssl genpkey -aes256} (section 11, PBES2), or PKCS#1; 2048 to 8192
 * bits.
 *
 * <pre>{@code
 * KeySource key = PrivateKeyFile.of(Path.of("partner.key"));
 * }</pre>
 *
 * <p>A replaced file is used from the next signature on, without a restart. While the file is
 * broken or missing, the previous key stays in use and a warning says so. If users other than its
 * owner can read the file, the first read causes a warning, and another follows only after the mode
 * of the file has changed.
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
   * A file that is protected by a passphrase. It is read at the first signature, not here.
   *
   * @param passphrase called each time the file is read; must return a new array each time, which
   *     is overwritten with zeros after use
   */
  public static PrivateKeyFile of(Path path, Supplier<char[]> passphrase) {
    return new PrivateKeyFile(path, passphrase, FileMode.toLog(PrivateKeyFile.class));
  }

  /** Sends warnings to this consumer instead of the {@link System.Logger}. */
  public PrivateKeyFile withWarnings(Consumer<String> warnings) {
    return new PrivateKeyFile(path, passphrase, warnings);
  }

  public Path path() {
    return path;
  }

  /**
   * The public half of the key now in the file, in the form in which keys are registered.
   *
   * @throws KeyException when there is no usable key
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
