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
 * Reads and writes key files in the clear and under a passphrase, which is asked for once at most
 * and forgotten at the end.
 */
final class KeyForms implements AutoCloseable {
  private final @Nullable Supplier<char[]> passphrase;
  private char @Nullable [] words;

  /** The forms that can be read with this passphrase; those in the clear alone for null. */
  KeyForms(@Nullable Supplier<char[]> passphrase) {
    this.passphrase = passphrase;
  }

  /**
   * The key of a file.
   *
   * @throws KeyFileException when it is none in PEM or DER, or needs a passphrase that is not known
   * @throws KeyException when it is encrypted and cannot be read, or is not strong enough
   */
  RotationKey read(Path file) {
    try {
      RSAPrivateCrtKey key = RsaPrivateKeys.readFile(file, CryptoProvider.jdk());
      return new RotationKey(KeySource.of(key), RsaPublicKeys.of(key, CryptoProvider.jdk()), false);
    } catch (KeyFileException e) {
      if (e.reason() != KeyFileException.Reason.ENCRYPTED || passphrase == null) {
        throw e;
      }
      // Who may read the file is nothing that a rotation changes.
      PrivateKeyFile encrypted = PrivateKeyFile.of(file, this::words).withWarnings(mode -> {});
      return new RotationKey(encrypted, encrypted.publicKey(), true);
    }
  }

  /** Writes a new key in the form of the one that it succeeds. */
  void write(NewKeyPair pair, RotationKey current, Path file) {
    if (current.isEncrypted()) {
      pair.writePrivateKeyTo(file, this::words);
    } else {
      pair.writePrivateKeyTo(file);
    }
  }

  private char[] words() {
    if (words == null && passphrase != null) {
      words = passphrase.get();
    }
    if (words == null) {
      throw new KeyException("no passphrase was given");
    }
    return words.clone();
  }

  @Override
  public void close() {
    if (words != null) {
      Arrays.fill(words, '\0');
    }
  }
}
