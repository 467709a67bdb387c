package dev.countersign.signatures;

import dev.countersign.signatures.fields.StringItem;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;

/**
 * A private key, its algorithm, and the keyid under which the verifier knows its public half.
 *
 * <p>The private key is used here and handed out nowhere.
 */
public final class SigningKey {
  private final String keyid;
  private final SignatureAlgorithm algorithm;
  private final PrivateKey privateKey;
  private final CryptoProvider crypto;

  /**
   * A key to sign with.
   *
   * @param keyid the clientId of the registered public key
   * @param algorithm what the public key is registered for
   * @throws IllegalArgumentException for a keyid that is not printable ASCII, a key of another
   *     kind, or one of fewer than 2048 bits
   */
  public SigningKey(
      String keyid, SignatureAlgorithm algorithm, PrivateKey privateKey, CryptoProvider crypto) {
    algorithm.checkKey(privateKey);
    this.keyid = new StringItem(keyid).value();
    this.algorithm = algorithm;
    this.privateKey = privateKey;
    this.crypto = crypto;
  }

  public String keyid() {
    return keyid;
  }

  public SignatureAlgorithm algorithm() {
    return algorithm;
  }

  byte[] sign(SignatureBase base) {
    try {
      Signature signer = crypto.signature(algorithm.jcaName());
      signer.initSign(privateKey);
      signer.update(base.bytes());
      return signer.sign();
    } catch (InvalidKeyException | SignatureException e) {
      throw new IllegalStateException(
          "the private key cannot be used for " + algorithm.registeredName(), e);
    }
  }

  /** Names the key without its material. */
  @Override
  public String toString() {
    return "SigningKey[" + keyid + ", " + algorithm.registeredName() + "]";
  }
}
