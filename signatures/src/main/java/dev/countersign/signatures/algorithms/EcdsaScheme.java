package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.EcCurve;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.Optional;

/**
 * ECDSA with the two numbers of the signature side by side, each as long as the curve (RFC 9421
 * section 3.3.4; IEEE P1363), never in DER.
 */
public final class EcdsaScheme implements KeyPairScheme {
  private final JcaSignature jca;
  private final EcCurve curve;

  private EcdsaScheme(JcaSignature jca, EcCurve curve) {
    this.jca = jca;
    this.curve = curve;
  }

  public static EcdsaScheme of(String hash, EcCurve curve) {
    return new EcdsaScheme(JcaSignature.of(hash + "withECDSAinP1363Format"), curve);
  }

  @Override
  public JcaSignature jca() {
    return jca;
  }

  @Override
  public void checkVerificationKey(Key key) {
    if (!(key instanceof ECPublicKey ec)) {
      throw UnfitKeyException.needs("an EC public key on " + curve.label(), key);
    }
    checkCurve(ec);
    // Not every provider checks this; a point elsewhere is on a curve that can be broken.
    if (!curve.contains(ec.getW())) {
      throw UnfitKeyException.needs(
          "a point on the curve " + curve.label(), "a point that is not on it");
    }
  }

  @Override
  public void checkSigningKey(Key key) {
    if (!(key instanceof ECPrivateKey ec)) {
      throw UnfitKeyException.needs("an EC private key on " + curve.label(), key);
    }
    checkCurve(ec);
  }

  private void checkCurve(ECKey key) {
    Optional<EcCurve> actual = EcCurve.of(key);
    if (!actual.equals(Optional.of(curve))) {
      throw UnfitKeyException.needs(
          "an EC key on " + curve.label(),
          "one on " + actual.map(EcCurve::label).orElse("another curve"));
    }
  }

  @Override
  public boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    return isPairOfNumbers(signature) && KeyPairScheme.super.verifies(base, signature, key, crypto);
  }

  // No JDK checks the length, and all accept halves that are longer or shorter than the curve's.
  // FIPS 186-5 section 6.4.2: r and s are 1 to n - 1. A JDK of 2022 did not check that
  // (CVE-2022-21449).
  private boolean isPairOfNumbers(byte[] signature) {
    return signature.length == 2 * curve.bytes()
        && isInRange(new BigInteger(1, signature, 0, curve.bytes()))
        && isInRange(new BigInteger(1, signature, curve.bytes(), curve.bytes()));
  }

  private boolean isInRange(BigInteger number) {
    return number.signum() > 0 && number.compareTo(curve.order()) < 0;
  }
}
