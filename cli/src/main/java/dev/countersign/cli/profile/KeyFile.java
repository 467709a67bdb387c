package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.client.keys.KeySource;
import dev.countersign.client.keys.KeyStoreFile;
import dev.countersign.client.keys.PrivateKeyFile;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A file with a private key: a key store if its name says so, otherwise PEM. */
public record KeyFile(Path path, Supplier<char[]> passphrase) {

  static boolean isKeyStore(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".p12") || name.endsWith(".pfx") || name.endsWith(".jks");
  }

  /**
   * Checks the name of a new key file, which will contain PEM.
   *
   * @throws CliException when the name is that of a key store, because this program could not read
   *     a PEM file with such a name
   */
  public static Path requirePem(Path path) {
    if (isKeyStore(path)) {
      throw CliException.usage(
          "a new key is a PEM file, but *.p12, *.pfx and *.jks name key stores: choose another"
              + " name, was "
              + path);
    }
    return path;
  }

  /** The public half of the key. */
  public RSAPublicKey publicKey(Consumer<String> warnings) {
    @Nullable PublicKey half =
        isKeyStore(path)
            ? new KeyStoreContent(path, passphrase).inspected().publicKey().orElse(null)
            : PrivateKeyFile.of(path, passphrase).withWarnings(marked(warnings)).publicKey();
    if (half instanceof RSAPublicKey rsa) {
      return rsa;
    }
    throw new CliException(
        ExitCode.FAILED,
        "key_unusable",
        path + ": the key store has no RSA certificate for its key");
  }

  KeySource source(Consumer<String> warnings) {
    return isKeyStore(path)
        ? KeyStoreFile.of(path, passphrase).withWarnings(marked(warnings))
        : PrivateKeyFile.of(path, passphrase).withWarnings(marked(warnings));
  }

  private static Consumer<String> marked(Consumer<String> warnings) {
    return warning -> warnings.accept("warning: " + warning);
  }

  /**
   * Returns the path of the public key that belongs to a key file: {@code partner.pub} beside
   * {@code partner.key}.
   */
  public static Path publicKeyBeside(Path key) {
    String name = String.valueOf(key.getFileName());
    String stem = name.endsWith(".key") ? name.substring(0, name.length() - 4) : name;
    return key.resolveSibling(stem + ".pub");
  }
}
