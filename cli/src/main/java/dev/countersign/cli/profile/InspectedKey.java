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
import java.util.regex.Pattern;

/**
 * The parts of a key file's content that may be shown.
 *
 * @param kind the kind of key, such as {@code RSA private key}
 * @param publicKey the public key that belongs to the key; empty for a private key that is not RSA,
 *     for an encrypted one whose passphrase is not in a file, and for an entry of a key store
 *     without a certificate
 */
public record InspectedKey(String kind, boolean isPrivate, Optional<PublicKey> publicKey) {
  private static final Pattern OTHER_KIND = Pattern.compile("(?:EC|EdDSA|RSASSA-PSS) ");

  public static InspectedKey of(Path file, Passphrase passphrase) {
    if (KeyFile.isKeyStore(file)) {
      return new KeyStoreContent(file, passphrase).inspected();
    }
    try {
      PublicKey key = PublicKeys.readPastedFile(file, CryptoProvider.jdk());
      return new InspectedKey(key.getAlgorithm() + " public key", false, Optional.of(key));
    } catch (KeyFileException notPublic) {
      if (notPublic.reason() == Reason.PRIVATE_KEY) {
        return ofPrivate(file, passphrase);
      }
      throw unusable(notPublic);
    }
  }

  public static InspectedKey of(PrivateKey key) {
    Optional<PublicKey> half =
        key instanceof RSAPrivateCrtKey rsa
            ? Optional.of(RsaPublicKeys.of(rsa, CryptoProvider.jdk()))
            : Optional.empty();
    return new InspectedKey(key.getAlgorithm() + " private key", true, half);
  }

  private static InspectedKey ofPrivate(Path file, Passphrase passphrase) {
    try {
      return of(PrivateKeys.readFile(file, CryptoProvider.jdk()));
    } catch (KeyFileException refused) {
      if (refused.reason() == Reason.ENCRYPTED) {
        return encrypted(file, passphrase);
      }
      throw unusable(refused);
    }
  }

  private static CliException unusable(KeyFileException refused) {
    return new CliException(
        ExitCode.FAILED, "key_unusable", String.valueOf(refused.getMessage()), refused);
  }

  private static InspectedKey encrypted(Path file, Passphrase passphrase) {
    return passphrase.isInFile()
        ? new InspectedKey(
            "encrypted RSA private key",
            true,
            Optional.of(new KeyFile(file, passphrase).publicKey(warning -> {})))
        : new InspectedKey("encrypted private key", true, Optional.empty());
  }

  /** Returns whether the file reveals that no service accepts the key, because of its kind. */
  public boolean isKnownUnusable() {
    return OTHER_KIND.matcher(kind).lookingAt()
        || publicKey.filter(key -> !key.getAlgorithm().equals("RSA")).isPresent();
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
