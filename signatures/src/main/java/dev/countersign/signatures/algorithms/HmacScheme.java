package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.SharedSecretRules;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/** HMAC with a secret shared by signer and verifier (RFC 9421 section 3.3.3, RFC 2104). */
public final class HmacScheme implements SignatureScheme {
  private final String jcaName;
  private final int hashBytes;

  public HmacScheme(String jcaName, int hashBytes) {
    this.jcaName = jcaName;
    this.hashBytes = hashBytes;
  }

  @Override
  public void checkVerificationKey(Key key) {
    if (!(key instanceof SecretKey) || key instanceof PublicKey || key instanceof PrivateKey) {
      throw UnfitKeyException.mismatch("a shared secret", key);
    }
    byte[] secret = key.getEncoded();
    if (secret == null) {
      throw UnfitKeyException.mismatch("a secret that can be checked", "one that hides its bytes");
    }
    try {
      SharedSecretRules.check(secret, hashBytes);
    } catch (KeyFileException e) {
      throw UnfitKeyException.mismatch("a valid secret", "refused: " + e.getMessage());
    }
  }

  @Override
  public void checkSigningKey(Key key) {
    checkVerificationKey(key);
  }

  @Override
  public void tryVerification(Key key, CryptoProvider crypto) throws InvalidKeyException {
    mac(key, crypto);
  }

  @Override
  public void trySigning(Key key, CryptoProvider crypto) throws InvalidKeyException {
    mac(key, crypto);
  }

  @Override
  public byte[] sign(byte[] base, Key key, CryptoProvider crypto) throws InvalidKeyException {
    return mac(key, crypto).doFinal(base);
  }

  @Override
  public boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    // Compares in constant time. Otherwise, the duration would tell a forger how many bytes are
    // right.
    return MessageDigest.isEqual(sign(base, key, crypto), signature);
  }

  private Mac mac(Key key, CryptoProvider crypto) throws InvalidKeyException {
    Mac mac = crypto.mac(jcaName);
    mac.init(key);
    return mac;
  }
}
