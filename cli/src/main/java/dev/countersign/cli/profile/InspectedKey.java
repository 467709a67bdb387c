package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFileException.Reason;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a key file's content that may be shown.
 *
 * @param kind the kind of key, such as {@code RSA private key}
 * @param publicKey the public half, if the file reveals it or the passphrase is in a file
 */
public record InspectedKey(String kind, boolean isPrivate, Optional<PublicKey> publicKey) {

  public static InspectedKey of(Path file, Passphrase passphrase) {
    if (KeyFile.isKeyStore(file)) {
      return new KeyStoreContent(file, passphrase).inspected();
    }
    try {
      return of(PrivateKeys.readFile(file, CryptoProvider.jdk()));
    } catch (KeyFileException notPrivate) {
      return other(file, passphrase, notPrivate);
    }
  }

  public static InspectedKey of(PrivateKey key) {
    Optional<PublicKey> half =
        key instanceof RSAPrivateCrtKey rsa
            ? Optional.of(RsaPublicKeys.of(rsa, CryptoProvider.jdk()))
            : Optional.empty();
    return new InspectedKey(key.getAlgorithm() + " private key", true, half);
  }

  private static InspectedKey other(Path file, Passphrase passphrase, KeyFileException notPrivate) {
    if (notPrivate.reason() == Reason.ENCRYPTED) {
      return encrypted(file, passphrase);
    }
    if (notPrivate.reason() != Reason.PUBLIC_KEY) {
      throw new CliException(
          ExitCode.FAILED, "key_unusable", String.valueOf(notPrivate.getMessage()), notPrivate);
    }
    try {
      PublicKey key = PublicKeys.readFile(file, CryptoProvider.jdk());
      return new InspectedKey(key.getAlgorithm() + " public key", false, Optional.of(key));
    } catch (KeyFileException malformed) {
      throw new CliException(
          ExitCode.FAILED, "key_unusable", String.valueOf(malformed.getMessage()), malformed);
    }
  }

  private static InspectedKey encrypted(Path file, Passphrase passphrase) {
    return passphrase.isInFile()
        ? new InspectedKey(
            "encrypted RSA private key",
            true,
            Optional.of(new KeyFile(file, passphrase).publicKey(warning -> {})))
        : new InspectedKey("encrypted private key", true, Optional.empty());
  }

  /** The values by name, in the order in which they are shown. */
  public Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("kind", kind);
    members.put("private", isPrivate);
    publicKey.ifPresent(
        key -> {
          if (key instanceof RSAKey rsa) {
            members.put("bits", rsa.getModulus().bitLength());
          }
          members.put("fingerprint", KeyFingerprint.of(key).value());
        });
    return members;
  }
}
