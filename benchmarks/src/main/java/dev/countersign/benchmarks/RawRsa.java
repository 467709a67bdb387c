package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/**
 * The yardstick for signing and verifying: the RSA operations of a provider on the same bytes, with
 * the same keys, through JDK calls only. The JCA objects are created once and reused, which is the
 * fastest use that JCA allows.
 */
final class RawRsa {
  private static final String ALGORITHM = "SHA256withRSA";

  private final Signature verifier;
  private final Signature signer;
  private final MessageDigest sha256;

  RawRsa(CryptoProvider crypto, PublicKey publicKey, PrivateKey privateKey) {
    verifier = crypto.signature(ALGORITHM);
    signer = crypto.signature(ALGORITHM);
    sha256 = crypto.digest("SHA-256");
    try {
      verifier.initVerify(publicKey);
      signer.initSign(privateKey);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("the provider does not accept the key", e);
    }
  }

  byte[] digest(byte[] body) {
    return sha256.digest(body);
  }

  boolean verify(byte[] base, byte[] signature) throws GeneralSecurityException {
    verifier.update(base);
    return verifier.verify(signature);
  }

  byte[] sign(byte[] base) throws GeneralSecurityException {
    signer.update(base);
    return signer.sign();
  }
}
