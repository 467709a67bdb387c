package dev.countersign.signatures;

import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.fields.StringItem;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.SignatureException;
import java.util.Objects;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A private key, a shared secret or an external signer, with its algorithm and the keyid by which
 * the verifier finds the public key or the secret.
 *
 * <p>The key is used only inside this class and is never returned.
 */
public final class SigningKey {
  private final String keyid;
  private final SignatureAlgorithm algorithm;
  private final ExternalSigner signer;

  /**
   * Creates a key from a private key.
   *
   * @param keyid the clientId of the registered public key
   * @param algorithm the algorithm that the public key is registered for
   * @throws IllegalArgumentException for a keyid that is not printable ASCII, a key whose kind or
   *     curve does not fit the algorithm, an RSA key of fewer than 2048 bits, or an HMAC algorithm
   */
  public SigningKey(
      String keyid, SignatureAlgorithm algorithm, PrivateKey key, CryptoProvider crypto) {
    this(keyid, algorithm, (Key) key, crypto);
  }

  /**
   * Creates a key from a shared secret, for an HMAC algorithm.
   *
   * @param keyid the keyid under which the verifier knows the secret
   * @param algorithm the algorithm that the secret is agreed for
   * @throws IllegalArgumentException for a keyid that is not printable ASCII, an algorithm that
   *     needs a key pair, a secret shorter than the hash, or a secret that consists of the bytes of
   *     a key file
   */
  public SigningKey(
      String keyid, SignatureAlgorithm algorithm, SecretKey secret, CryptoProvider crypto) {
    this(keyid, algorithm, (Key) secret, crypto);
  }

  /**
   * Creates a key from an external signer, which keeps its private key to itself. Nothing about the
   * private key can be checked here: the caller must make sure that the key is long enough and
   * matches the registered public key.
   *
   * @param keyid the clientId of the registered public key
   * @param algorithm the algorithm that the public key is registered for and that the signer uses
   * @throws IllegalArgumentException for a keyid that is not printable ASCII
   */
  public SigningKey(String keyid, SignatureAlgorithm algorithm, ExternalSigner signer) {
    this.keyid = new StringItem(keyid).value();
    this.algorithm = Objects.requireNonNull(algorithm);
    this.signer = Objects.requireNonNull(signer);
  }

  private SigningKey(String keyid, SignatureAlgorithm algorithm, Key key, CryptoProvider crypto) {
    this(keyid, algorithm, signer(algorithm, key, crypto));
    algorithm.checkSigningKey(key, crypto);
  }

  private static ExternalSigner signer(
      SignatureAlgorithm algorithm, Key key, CryptoProvider crypto) {
    return base -> {
      try {
        return algorithm.sign(base, key, crypto);
      } catch (InvalidKeyException | SignatureException e) {
        // Design note: the exception has no cause, because a provider's exception may quote the
        // key.
        throw new IllegalStateException(
            crypto.name() + " does not accept the key of " + algorithm.displayName());
      }
    };
  }

  public String keyid() {
    return keyid;
  }

  public SignatureAlgorithm algorithm() {
    return algorithm;
  }

  byte[] sign(SignatureBase base) {
    return sign(base.bytes());
  }

  byte[] sign(byte[] base) {
    // The signer may be third-party code that returns null despite its contract.
    byte @Nullable [] signature = signer.sign(base);
    if (signature == null || signature.length == 0) {
      throw new SigningException("the signer of " + keyid + " returned no signature");
    }
    return signature;
  }

  /** Identifies the key by its keyid and algorithm, without key material. */
  @Override
  public String toString() {
    return "SigningKey[" + keyid + ", " + algorithm.displayName() + "]";
  }
}
