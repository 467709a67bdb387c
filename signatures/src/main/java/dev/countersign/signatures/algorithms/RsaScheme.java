package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Optional;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/** RSASSA-PKCS1-v1_5 and RSASSA-PSS (RFC 8017 section 8). */
public final class RsaScheme implements KeyPairScheme {
  private static final String PLAIN = "RSA";
  private static final String PSS = "RSASSA-PSS";

  private final JcaSignature jca;
  private final @Nullable PSSParameterSpec pss;
  private final @Nullable EmsaPkcs1 pkcs1;

  private RsaScheme(JcaSignature jca, @Nullable PSSParameterSpec pss, @Nullable EmsaPkcs1 pkcs1) {
    this.jca = jca;
    this.pss = pss;
    this.pkcs1 = pkcs1;
  }

  public static RsaScheme pkcs1(String hash) {
    EmsaPkcs1 encoding = EmsaPkcs1.of(hash);
    return new RsaScheme(JcaSignature.of(encoding.jcaName()), null, encoding);
  }

  /** Uses one hash function for the message and for MGF1, with a salt as long as its output. */
  public static RsaScheme pss(String hash, int hashBytes) {
    PSSParameterSpec parameters =
        new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash), hashBytes, 1);
    return new RsaScheme(JcaSignature.of(PSS, parameters), parameters, null);
  }

  @Override
  public JcaSignature jca() {
    return jca;
  }

  /** Falls back to the provider's own PKCS #1 v1.5 check if it does not offer unpadded RSA. */
  @Override
  public boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    if (pkcs1 != null) {
      Optional<Cipher> rsa = crypto.rsaWithoutPadding();
      if (rsa.isPresent()) {
        return pkcs1.verifies(base, signature, (RSAPublicKey) key, rsa.get(), crypto);
      }
    }
    return jca.verifies(base, signature, key, crypto);
  }

  @Override
  public void checkVerificationKey(Key key) {
    if (!(key instanceof RSAPublicKey rsa)) {
      throw UnfitKeyException.mismatch("an RSA public key", key);
    }
    check(rsa, key);
    // With an exponent of 1, every padded message is its own signature.
    BigInteger exponent = rsa.getPublicExponent();
    if (exponent.bitLength() < 2 || !exponent.testBit(0)) {
      throw UnfitKeyException.mismatch("an odd public exponent greater than 1", "another");
    }
  }

  @Override
  public void checkSigningKey(Key key) {
    if (!(key instanceof RSAPrivateKey rsa)) {
      throw UnfitKeyException.mismatch("an RSA private key", key);
    }
    check(rsa, key);
  }

  private void check(RSAKey rsa, Key key) {
    checkKind(rsa, key);
    int bits = rsa.getModulus().bitLength();
    if (bits < RsaKeyRules.MIN_BITS) {
      throw UnfitKeyException.mismatch(
          "a key of at least " + RsaKeyRules.MIN_BITS + " bits", String.valueOf(bits));
    }
  }

  // RFC 8017 appendix A.1: a key of type rsaEncryption fits both schemes; A.2.3: a key of type
  // id-RSASSA-PSS fits only RSASSA-PSS.
  private void checkKind(RSAKey rsa, Key key) {
    if (key.getAlgorithm().equals(PLAIN)) {
      return;
    }
    if (pss == null || !key.getAlgorithm().equals(PSS)) {
      throw UnfitKeyException.mismatch("an RSA key", key);
    }
    if (rsa.getParams() instanceof PSSParameterSpec bound && !allows(bound, pss)) {
      throw UnfitKeyException.mismatch(describe(pss), "a key bound to " + describe(bound));
    }
  }

  /**
   * RFC 4055 section 3.1: the hash functions must be those in the key's parameters, and the salt
   * must be at least as long as these parameters say.
   */
  private static boolean allows(PSSParameterSpec bound, PSSParameterSpec used) {
    return bound.getDigestAlgorithm().equals(used.getDigestAlgorithm())
        && mask(bound).equals(mask(used))
        && bound.getSaltLength() <= used.getSaltLength();
  }

  private static String describe(PSSParameterSpec parameters) {
    return parameters.getDigestAlgorithm()
        + " with MGF1 of "
        + mask(parameters)
        + " and a salt of "
        + parameters.getSaltLength();
  }

  private static String mask(PSSParameterSpec parameters) {
    return parameters.getMGFParameters() instanceof MGF1ParameterSpec mgf1
        ? mgf1.getDigestAlgorithm()
        : "another function";
  }
}
