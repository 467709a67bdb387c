package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.SignatureAlgorithm.HMAC_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_PSS_SHA512;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static dev.countersign.signatures.Verdicts.is;
import static dev.countersign.signatures.base.VerificationFailure.ALGORITHM_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.PublicKeys;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The algorithm is that of the key, whatever a message says: for every algorithm of the key, of the
 * message and of the key that made the signature.
 */
class AlgorithmPairsTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final SignatureProfile ANY =
      SignatureProfile.covering("@method").withAlgorithms(SignatureAlgorithm.values());
  private static final String UNNAMED = "(\"@method\");created=1709622489;keyid=\"key\"";

  private static String saying(String alg) {
    return UNNAMED + ";alg=\"" + alg + "\"";
  }

  /** Signs a request with a key whatever the parameters say, which no signer here would do. */
  private static AnyRequest signedWith(SignatureAlgorithm algorithm, String text) {
    SigningKey key = AlgorithmKeys.signing(algorithm, JDK);
    return add(text, key.sign(base(text)));
  }

  private static AnyRequest add(String text, byte[] signature) {
    return AnyRequest.GET
        .plus("Signature-Input", "sig=" + text)
        .plus("Signature", "sig=" + ByteSequence.of(signature).serialize());
  }

  private static SignatureBase base(String text) {
    return SignatureBase.of(
        SignatureInput.componentsOf(InnerList.parse(text)),
        text,
        AnyRequest.GET,
        StructuredFieldRegistry.registered());
  }

  private static VerifiedSignature verify(
      SignatureProfile profile, AnyRequest request, SignatureAlgorithm... registered) {
    List<VerificationKey> keys =
        Stream.of(registered).map(key -> AlgorithmKeys.verification(key, JDK)).toList();
    return new MessageVerifier(profile, keyid -> keys, Verdicts.clock(NOW), JDK)
        .verify(request, new byte[0]);
  }

  @ParameterizedTest
  @EnumSource
  void alg_ofTheMessage_neverOverridesThatOfTheKey(SignatureAlgorithm registered) {
    for (SignatureAlgorithm said : SignatureAlgorithm.values()) {
      Optional<String> alg = said.registeredName();
      if (alg.isEmpty()) {
        continue;
      }
      AnyRequest byTheKey = signedWith(registered, saying(alg.get()));
      AnyRequest byWhatIsSaid = signedWith(said, saying(alg.get()));
      if (said == registered) {
        assertThat(verify(ANY, byTheKey, registered).key().algorithm()).isEqualTo(registered);
      } else {
        is(ALGORITHM_WRONG, () -> verify(ANY, byTheKey, registered));
        is(ALGORITHM_WRONG, () -> verify(ANY, byWhatIsSaid, registered));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void signature_ofAnotherAlgorithm_isAMismatchWhereNoneIsSaid(SignatureAlgorithm registered) {
    for (SignatureAlgorithm used : SignatureAlgorithm.values()) {
      AnyRequest request = signedWith(used, UNNAMED);
      if (isOneAlgorithm(used, registered)) {
        assertThat(verify(ANY, request, registered).key().algorithm()).isEqualTo(registered);
      } else {
        is(SIGNATURE_MISMATCH, () -> verify(ANY, request, registered));
      }
    }
  }

  /**
   * Returns whether two names mean the same computation; the keys of a kind are shared by the
   * fixture.
   */
  private static boolean isOneAlgorithm(SignatureAlgorithm one, SignatureAlgorithm other) {
    return one == other
        || (!AlgorithmKeys.isHmac(one) && computation(one).equals(computation(other)));
  }

  private static String computation(SignatureAlgorithm algorithm) {
    return switch (algorithm.name()) {
      case "JWS_RS256" -> "RSA_V1_5_SHA256";
      case "JWS_PS512" -> "RSA_PSS_SHA512";
      case "JWS_ES256" -> "ECDSA_P256_SHA256";
      case "JWS_ES384" -> "ECDSA_P384_SHA384";
      case "JWS_EDDSA" -> "ED25519";
      default -> algorithm.name();
    };
  }

  @ParameterizedTest
  @EnumSource
  void withAlgorithms_keysOfOthers_areNotUsed(SignatureAlgorithm algorithm) {
    AnyRequest request = signedWith(algorithm, UNNAMED);
    for (SignatureAlgorithm allowed : SignatureAlgorithm.values()) {
      SignatureProfile profile = SignatureProfile.covering("@method").withAlgorithms(allowed);
      if (allowed == algorithm) {
        assertThat(verify(profile, request, algorithm).key().algorithm()).isEqualTo(algorithm);
      } else {
        is(ALGORITHM_WRONG, () -> verify(profile, request, algorithm));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void profileWithoutAlgorithms_takesTheRegisteredOnesAlone(SignatureAlgorithm algorithm) {
    SignatureProfile strict = SignatureProfile.covering("@method");
    AnyRequest request = signedWith(algorithm, UNNAMED);
    if (algorithm.registeredName().isPresent()) {
      assertThat(verify(strict, request, algorithm).key().algorithm()).isEqualTo(algorithm);
    } else {
      is(ALGORITHM_WRONG, () -> verify(strict, request, algorithm));
    }
  }

  @Test
  void alg_ofAJwsAlgorithm_isNeverTaken() {
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      String jwsName = algorithm.displayName().replace("JWS ", "");
      if (algorithm.registeredName().isEmpty()) {
        AnyRequest request = signedWith(algorithm, saying(jwsName));
        is(ALGORITHM_WRONG, () -> verify(ANY, request, algorithm));
      }
    }
  }

  /** Keys of a client that rotates: alg selects among them, and adds no third one. */
  @Test
  void alg_amongTwoKeys_picksItsOwn() {
    AnyRequest pss = signedWith(RSA_PSS_SHA512, saying("rsa-pss-sha512"));
    assertThat(verify(ANY, pss, RSA_V1_5_SHA256, RSA_PSS_SHA512).key().algorithm())
        .isEqualTo(RSA_PSS_SHA512);
    AnyRequest lying = signedWith(RSA_PSS_SHA512, saying("rsa-v1_5-sha256"));
    is(SIGNATURE_MISMATCH, () -> verify(ANY, lying, RSA_V1_5_SHA256, RSA_PSS_SHA512));
    is(ALGORITHM_WRONG, () -> verify(ANY, lying, RSA_PSS_SHA512, HMAC_SHA256));
  }

  static Stream<byte[]> formsOfThePublicKey() {
    byte[] der = AlgorithmKeys.pair(RSA_V1_5_SHA256).getPublic().getEncoded();
    String pem = PublicKeys.toPem(AlgorithmKeys.pair(RSA_V1_5_SHA256).getPublic());
    return Stream.of(
        der,
        pem.getBytes(US_ASCII),
        pem.strip().getBytes(US_ASCII),
        Base64.getEncoder().encodeToString(der).getBytes(US_ASCII));
  }

  @ParameterizedTest
  @MethodSource("formsOfThePublicKey")
  void hmac_withTheBytesOfThePublicKey_isRefused(byte[] publicBytes) throws Exception {
    AnyRequest saying = withHmac(saying("hmac-sha256"), publicBytes);
    AnyRequest silent = withHmac(UNNAMED, publicBytes);
    is(ALGORITHM_WRONG, () -> verify(ANY, saying, RSA_V1_5_SHA256));
    is(ALGORITHM_WRONG, () -> verify(ANY, saying, RSA_V1_5_SHA256, RSA_PSS_SHA512));
    is(SIGNATURE_MISMATCH, () -> verify(ANY, silent, RSA_V1_5_SHA256));
    is(SIGNATURE_MISMATCH, () -> verify(ANY, silent, RSA_V1_5_SHA256, HMAC_SHA256));
    is(SIGNATURE_MISMATCH, () -> verify(ANY, saying, RSA_V1_5_SHA256, HMAC_SHA256));
  }

  private static AnyRequest withHmac(String text, byte[] secret) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    return add(text, mac.doFinal(base(text).bytes()));
  }
}
