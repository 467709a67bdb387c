package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.ECDSA_P256_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.ED25519;
import static dev.countersign.signatures.SignatureAlgorithm.HMAC_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_PSS_SHA512;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key is checked for its algorithm before it is used, and determines what is verified. */
class KeyUseTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final List<String> KINDS =
      List.of("RSA", "secp256r1", "secp384r1", "secp521r1", "Ed25519", "Ed448", "DSA", "X25519");

  @ParameterizedTest
  @EnumSource
  void key_ofEveryOtherKind_isRefusedAtOnce(SignatureAlgorithm algorithm) {
    String own = AlgorithmKeys.isHmac(algorithm) ? "none" : AlgorithmKeys.kind(algorithm);
    for (String kind : KINDS) {
      if (!kind.equals(own)) {
        assertRefused(algorithm, AlgorithmKeys.pair(kind));
      }
    }
    if (!AlgorithmKeys.isHmac(algorithm)) {
      SecretKey secret = AlgorithmKeys.secret(HMAC_SHA256);
      assertRefused(() -> new VerificationKey(algorithm, secret, JDK))
          .withMessageStartingWith(algorithm.displayName() + " needs an ")
          .withMessageEndingWith(", was a secret");
      assertRefused(() -> new SigningKey("a", algorithm, secret, JDK));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RSA_V1_5_SHA256", "JWS_RS256", "JWS_RS384", "JWS_RS512"})
  void pssOnlyKey_isForPssAlone(SignatureAlgorithm pkcs1) {
    KeyPair pair = AlgorithmKeys.pair("RSASSA-PSS");
    assertRefused(() -> new VerificationKey(pkcs1, pair.getPublic(), JDK))
        .withMessage(pkcs1.displayName() + " needs an RSA key, was a public key of RSASSA-PSS");
    assertRefused(() -> new SigningKey("a", pkcs1, pair.getPrivate(), JDK));

    SignatureBase base =
        SignatureBase.of(
            List.of(ComponentIdentifier.of("@method")),
            "()",
            WireRequest.GET,
            StructuredFieldRegistry.registered());
    byte[] signature = new SigningKey("a", RSA_PSS_SHA512, pair.getPrivate(), JDK).sign(base);
    VerificationKey key = new VerificationKey(RSA_PSS_SHA512, pair.getPublic(), JDK);
    assertThat(key.verifies(base.bytes(), signature)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SHA-512, SHA-512, 64, true",
    "SHA-512, SHA-512, 20, true",
    "SHA-512, SHA-512, 65, false",
    "SHA-256, SHA-256, 32, false",
    "SHA-512, SHA-256, 64, false"
  })
  void pssOnlyKey_boundToAHash_isForThatAlone(String hash, String mask, int salt, boolean fits)
      throws Exception {
    PSSParameterSpec bound =
        new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(mask), salt, 1);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSASSA-PSS");
    generator.initialize(new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4, bound));
    KeyPair pair = generator.generateKeyPair();
    if (fits) {
      assertThat(new VerificationKey(RSA_PSS_SHA512, pair.getPublic(), JDK)).isNotNull();
      assertThat(new SigningKey("a", RSA_PSS_SHA512, pair.getPrivate(), JDK)).isNotNull();
    } else {
      assertRefused(() -> new VerificationKey(RSA_PSS_SHA512, pair.getPublic(), JDK))
          .withMessageContaining("needs SHA-512 with MGF1 of SHA-512 and a salt of 64, was a key")
          .withMessageEndingWith(
              "bound to " + hash + " with MGF1 of " + mask + " and a salt of " + salt);
      assertRefused(() -> new SigningKey("a", RSA_PSS_SHA512, pair.getPrivate(), JDK));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 1024, 2047})
  void rsaKey_tooShort_isRefusedAtOnce(int bits) {
    KeyPair pair = AlgorithmKeys.rsa(bits);
    for (SignatureAlgorithm algorithm : List.of(RSA_V1_5_SHA256, RSA_PSS_SHA512)) {
      assertRefused(() -> new VerificationKey(algorithm, pair.getPublic(), JDK))
          .withMessage(algorithm.displayName() + " needs a key of at least 2048 bits, was " + bits);
      assertRefused(() -> new SigningKey("a", algorithm, pair.getPrivate(), JDK));
    }
  }

  @Test
  void rsaKey_exponentOne_isRefused() {
    RSAPublicKey sound = (RSAPublicKey) AlgorithmKeys.pair("RSA").getPublic();
    for (BigInteger exponent : List.of(BigInteger.ONE, BigInteger.ZERO, BigInteger.valueOf(4))) {
      assertRefused(() -> new VerificationKey(RSA_V1_5_SHA256, with(sound, exponent), JDK))
          .withMessageContaining("odd public exponent greater than 1");
    }
  }

  @Test
  void rsaKey_exponentThree_isTaken() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F0));
    PublicKey key = generator.generateKeyPair().getPublic();
    assertThat(new VerificationKey(RSA_V1_5_SHA256, key, JDK).algorithm())
        .isEqualTo(RSA_V1_5_SHA256);
  }

  @Test
  void ecKey_offItsCurve_isRefused() throws Exception {
    ECPublicKey sound = (ECPublicKey) AlgorithmKeys.pair("secp256r1").getPublic();
    ECPoint wrong = new ECPoint(sound.getW().getAffineX(), BigInteger.TEN);
    // The JDK's own KeyFactory accepts it.
    PublicKey key =
        KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(wrong, sound.getParams()));
    assertRefused(() -> new VerificationKey(ECDSA_P256_SHA256, key, JDK))
        .withMessageContaining("a point on the curve P-256");
  }

  @ParameterizedTest
  @CsvSource({
    "ECDSA_P256_SHA256, secp384r1, P-384",
    "ECDSA_P384_SHA384, secp256r1, P-256",
    "JWS_ES512, secp384r1, P-384"
  })
  void ecKey_onAnotherCurve_isNamed(SignatureAlgorithm algorithm, String curve, String label) {
    KeyPair pair = AlgorithmKeys.pair(curve);
    assertRefused(() -> new VerificationKey(algorithm, pair.getPublic(), JDK))
        .withMessageMatching(
            algorithm.displayName() + " needs an EC key on P-\\d+, was one on " + label);
    assertRefused(() -> new SigningKey("a", algorithm, pair.getPrivate(), JDK))
        .withMessageEndingWith("one on " + label);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      })
  void ed25519Key_ofSmallOrder_isRefused(String littleEndian) throws Exception {
    byte[] y = HexFormat.of().parseHex(littleEndian);
    for (int i = 0; i < 16; i++) {
      byte swap = y[i];
      y[i] = y[31 - i];
      y[31 - i] = swap;
    }
    PublicKey key =
        KeyFactory.getInstance("Ed25519")
            .generatePublic(
                new EdECPublicKeySpec(
                    NamedParameterSpec.ED25519, new EdECPoint(false, new BigInteger(1, y))));
    assertRefused(() -> new VerificationKey(ED25519, key, JDK))
        .withMessageContaining("small order");
  }

  @ParameterizedTest
  @CsvSource({
    "HMAC_SHA256, 32",
    "JWS_HS256, 32",
    "JWS_HS384, 48",
    "JWS_HS512, 64",
  })
  void secret_shorterThanItsHash_isRefused(SignatureAlgorithm algorithm, int bytes) {
    assertThat(new VerificationKey(algorithm, secret(bytes), JDK).algorithm()).isEqualTo(algorithm);
    assertThat(new SigningKey("a", algorithm, secret(bytes), JDK).algorithm()).isEqualTo(algorithm);
    assertRefused(() -> new VerificationKey(algorithm, secret(bytes - 1), JDK))
        .withMessageContaining("has " + (bytes - 1) + " bytes; at least " + bytes + " are needed");
    assertRefused(() -> new SigningKey("a", algorithm, secret(1), JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "a\n", "\u0000"})
  void keyid_thatCannotBeSent_isRefusedAtOnce(String keyid) {
    assertRefused(
        () -> new SigningKey(keyid, RSA_V1_5_SHA256, HandSigner.ALICE.keys().getPrivate(), JDK));
  }

  @ParameterizedTest
  @EnumSource
  void toString_namesTheAlgorithmAndNothingElse(SignatureAlgorithm algorithm) {
    assertThat(AlgorithmKeys.verification(algorithm, JDK))
        .hasToString("VerificationKey[" + algorithm.displayName() + "]");
    assertThat(AlgorithmKeys.signing(algorithm, JDK))
        .hasToString("SigningKey[key, " + algorithm.displayName() + "]");
  }

  @Test
  void corretto_pssOnlyKey_isRefusedClearly() {
    CryptoProvider corretto = TestedProvider.CORRETTO.get();
    KeyPair pair = AlgorithmKeys.pair("RSASSA-PSS");
    String message = corretto.name() + " does not accept this key for rsa-pss-sha512";
    assertRefused(() -> new VerificationKey(RSA_PSS_SHA512, pair.getPublic(), corretto))
        .withMessage(message)
        .withNoCause();
    assertRefused(() -> new SigningKey("a", RSA_PSS_SHA512, pair.getPrivate(), corretto))
        .withMessage(message)
        .withNoCause();
  }

  private static void assertRefused(SignatureAlgorithm algorithm, KeyPair pair) {
    assertRefused(() -> new VerificationKey(algorithm, pair.getPublic(), JDK))
        .withMessageStartingWith(algorithm.displayName() + " needs a");
    assertRefused(() -> new SigningKey("a", algorithm, pair.getPrivate(), JDK))
        .withMessageStartingWith(algorithm.displayName() + " needs a");
  }

  private static ThrowableAssertAlternative<IllegalArgumentException> assertRefused(
      ThrowingCallable construction) {
    return assertThatIllegalArgumentException().isThrownBy(construction);
  }

  private static SecretKey secret(int bytes) {
    return new SecretKeySpec(AlgorithmKeys.random(bytes), "HMAC");
  }

  private static RSAPublicKey with(RSAPublicKey key, BigInteger exponent) {
    return new RSAPublicKey() {
      private static final long serialVersionUID = 1L;

      @Override
      public BigInteger getPublicExponent() {
        return exponent;
      }

      @Override
      public BigInteger getModulus() {
        return key.getModulus();
      }

      @Override
      public String getAlgorithm() {
        return "RSA";
      }

      @Override
      public String getFormat() {
        return "X.509";
      }

      @Override
      public byte[] getEncoded() {
        return key.getEncoded();
      }
    };
  }
}
