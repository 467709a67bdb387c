package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The RSA private key in a PKCS#12 (<a href="https://www.rfc-editor.org/rfc/rfc7292">RFC 7292</a>)
 * or JKS key store; the type is detected. The key must have the same password as the store.
 *
 * <pre>{@code
 * KeySource key = KeyStoreFile.of(Path.of("partner.p12"), () -> console.readPassword());
 * }</pre>
 *
 * <p>If the file is replaced, the next signature uses the new file, as with {@link PrivateKeyFile}.
 */
public final class KeyStoreFile implements KeySource {
  private final Path path;
  private final Supplier<char[]> passphrase;
  private final @Nullable String alias;
  private final Consumer<String> warnings;
  private final WatchedFile watched;

  private KeyStoreFile(
      Path path, Supplier<char[]> passphrase, @Nullable String alias, Consumer<String> warnings) {
    this.path = path;
    this.passphrase = passphrase;
    this.alias = alias;
    this.warnings = warnings;
    StoredKey format = new StoredKey(path.toString(), alias);
    this.watched = new WatchedFile(path, bytes -> format.read(bytes, passphrase), warnings);
  }

  /**
   * Uses the only private key of the store. The file is read at the first signature, not here.
   *
   * @param passphrase called each time the file is read; must return a new array each time, never
   *     null; the array is overwritten with zeros after use
   */
  public static KeyStoreFile of(Path path, Supplier<char[]> passphrase) {
    return new KeyStoreFile(path, passphrase, null, FileMode.toLog(KeyStoreFile.class));
  }

  /** Selects the private key with this alias, for a store that has several private keys. */
  public KeyStoreFile withAlias(String name) {
    return new KeyStoreFile(path, passphrase, name, warnings);
  }

  /** Sends warnings to this consumer instead of the {@link System.Logger}. */
  public KeyStoreFile withWarnings(Consumer<String> consumer) {
    return new KeyStoreFile(path, passphrase, alias, consumer);
  }

  public Path path() {
    return path;
  }

  @Override
  public SigningKey signingKey(String clientId) {
    return watched.key().as(clientId);
  }

  @Override
  public String toString() {
    return "KeyStoreFile[" + path + "]";
  }
}
