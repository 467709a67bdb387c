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
 * ECDSA. A signature consists of the two numbers r and s, one after the other, each of the length
 * that the curve requires (RFC 9421 section 3.3.4; IEEE P1363). A signature in DER is never
 * accepted.
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
      throw UnfitKeyException.mismatch("an EC public key on " + curve.label(), key);
    }
    checkCurve(ec);
    // A point that is not on the curve belongs to another curve, which may be easy to break. Not
    // every provider checks the point.
    if (!curve.contains(ec.getW())) {
      throw UnfitKeyException.mismatch(
          "a point on the curve " + curve.label(), "a point that is not on it");
    }
  }

  @Override
  public void checkSigningKey(Key key) {
    if (!(key instanceof ECPrivateKey ec)) {
      throw UnfitKeyException.mismatch("an EC private key on " + curve.label(), key);
    }
    checkCurve(ec);
  }

  private void checkCurve(ECKey key) {
    Optional<EcCurve> actual = EcCurve.of(key);
    if (!actual.equals(Optional.of(curve))) {
      throw UnfitKeyException.mismatch(
          "an EC key on " + curve.label(),
          "one on " + actual.map(EcCurve::label).orElse("another curve"));
    }
  }

  @Override
  public boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    return isPairOfNumbers(signature) && KeyPairScheme.super.verifies(base, signature, key, crypto);
  }

  // No JDK checks the length: every JDK accepts numbers that are longer or shorter than the curve
  // requires. FIPS 186-5 section 6.4.2: r and s are at least 1 and less than the order of the
  // curve. Until 2022, some JDKs did not check that range (CVE-2022-21449).
  private boolean isPairOfNumbers(byte[] signature) {
    return signature.length == 2 * curve.bytes()
        && isInRange(new BigInteger(1, signature, 0, curve.bytes()))
        && isInRange(new BigInteger(1, signature, curve.bytes(), curve.bytes()));
  }

  private boolean isInRange(BigInteger number) {
    return number.signum() > 0 && number.compareTo(curve.order()) < 0;
  }
}
