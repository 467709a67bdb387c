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
 * Reads and writes key files, with or without a passphrase. It asks for the passphrase at most once
 * and erases it when it is closed.
 */
final class KeyFileCodec implements AutoCloseable {
  private final @Nullable Supplier<char[]> passphrase;
  private char @Nullable [] words;

  /** Accepts unencrypted files, and encrypted ones if there is a passphrase. */
  KeyFileCodec(@Nullable Supplier<char[]> passphrase) {
    this.passphrase = passphrase;
  }

  /**
   * Reads the key of a file.
   *
   * @throws KeyFileException when it is not a key in PEM or DER, or needs an unknown passphrase
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
      // A rotation does not change who may read the file, so it does not warn about that either.
      PrivateKeyFile encrypted = PrivateKeyFile.of(file, this::words).withWarnings(mode -> {});
      return new RotationKey(encrypted, encrypted.publicKey(), true);
    }
  }

  /** Writes a new key in the form of the key that it replaces. */
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
