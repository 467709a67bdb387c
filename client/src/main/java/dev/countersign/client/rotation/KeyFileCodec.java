package dev.countersign.client.rotation;

import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.KeySource;
import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.client.keys.PrivateKeyFile;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes key files, with or without a passphrase. A codec asks for the passphrase at most
 * once and erases the passphrase when closed.
 */
final class KeyFileCodec implements AutoCloseable {
  private final @Nullable Supplier<char[]> passphrase;
  private char @Nullable [] secret;

  /** Accepts unencrypted files, and encrypted ones if there is a passphrase. */
  KeyFileCodec(@Nullable Supplier<char[]> passphrase) {
    this.passphrase = passphrase;
  }

  /**
   * Reads the key of a file.
   *
   * @throws KeyFileException when the file is not a key in PEM or DER, or is encrypted and there is
   *     no passphrase
   * @throws KeyException when an encrypted key cannot be read, or when the key is not strong enough
   */
  RotationKey read(Path file) {
    try {
      RSAPrivateCrtKey key = RsaPrivateKeys.readFile(file, CryptoProvider.jdk());
      return new RotationKey(KeySource.of(key), RsaPublicKeys.of(key, CryptoProvider.jdk()), false);
    } catch (KeyFileException e) {
      if (e.reason() != KeyFileException.Reason.ENCRYPTED || passphrase == null) {
        throw e;
      }
      // A rotation does not change who may read the file, so it does not warn about the mode of the
      // file either.
      PrivateKeyFile encrypted =
          PrivateKeyFile.of(file, this::copyOfSecret).withWarnings(mode -> {});
      return new RotationKey(encrypted, encrypted.publicKey(), true);
    }
  }

  /** Writes a new key, encrypted if the current key is encrypted. */
  void write(NewKeyPair pair, RotationKey current, Path file) {
    if (current.isEncrypted()) {
      pair.writePrivateKeyTo(file, this::copyOfSecret);
    } else {
      pair.writePrivateKeyTo(file);
    }
  }

  private char[] copyOfSecret() {
    if (secret == null && passphrase != null) {
      secret = passphrase.get();
    }
    if (secret == null) {
      throw new KeyException("no passphrase was given");
    }
    return secret.clone();
  }

  @Override
  public void close() {
    if (secret != null) {
      Arrays.fill(secret, '\0');
    }
  }
}
