package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.ECDSA_P256_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.JWS_ES256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** RFC 9421 section 3.3.7: a JWS algorithm is agreed on outside of the message. */
class JwsAlgorithmsTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final SignatureProfile PLAIN = SignatureProfile.covering("@method", "@path");
  private static final SignatureProfile JWS = PLAIN.withAlgorithms(JWS_ES256);

  @ParameterizedTest
  @EnumSource
  void message_signedByAnyAlgorithm_verifiesWhereItIsTaken(SignatureAlgorithm algorithm) {
    SignatureProfile profile = PLAIN.withAlgorithms(algorithm);
    WireRequest signed = sign(profile, algorithm);
    assertThat(verify(signed, profile, algorithm).parameters().alg()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "JWS_.*")
  void profile_thatNamesNoAlgorithm_takesNoJws(SignatureAlgorithm algorithm) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sign(PLAIN, algorithm))
        .withMessage("the profile does not accept keys for " + algorithm.displayName());
    WireRequest signed = sign(PLAIN.withAlgorithms(algorithm), algorithm);
    assertThat(refusal(signed, PLAIN, algorithm).failure())
        .isEqualTo(VerificationFailure.ALGORITHM_WRONG);
  }

  @Test
  void alg_inAMessageOfAJwsKey_isRefused() {
    SignatureProfile both = PLAIN.withAlgorithms(JWS_ES256, ECDSA_P256_SHA256);
    SignatureProfile withAlg = both.withRequiredParameters("alg");
    WireRequest signed = sign(withAlg, ECDSA_P256_SHA256);
    assertThat(verify(signed, both, ECDSA_P256_SHA256).parameters().alg())
        .contains("ecdsa-p256-sha256");
    // The key and the computation are the same, but the registration differs.
    assertThat(refusal(signed, both, JWS_ES256))
        .hasMessageContaining("the key is for JWS ES256, but alg names another algorithm");
    assertThat(refusal(signed, JWS, JWS_ES256)).hasMessageContaining("alg must not be sent");
  }

  @Test
  void signer_ofAProfileThatRequiresAlg_takesNoJwsKey() {
    SignatureProfile profile = JWS.withRequiredParameters("alg");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sign(profile, JWS_ES256))
        .withMessage("the profile requires alg, which JWS ES256 does not have");
  }

  @Test
  void signer_askedForAlg_cannotGiveItForAJwsKey() {
    SignatureRequest request =
        SignatureRequest.of("sig", List.of(ComponentIdentifier.of("@method"))).withAnyAlg();
    MessageSigner signer = new MessageSigner(JWS, AlgorithmKeys.signing(JWS_ES256, JDK));
    AcceptSignatureException refusal =
        catchThrowableOfType(
            AcceptSignatureException.class,
            () -> signer.answer(request, WireRequest.GET, AliceVerification.NOW));
    assertThat(refusal).hasMessageContaining("JWS ES256 has no registered name to send as alg");
  }

  private static WireRequest sign(SignatureProfile profile, SignatureAlgorithm algorithm) {
    SignedFields fields =
        new MessageSigner(profile, AlgorithmKeys.signing(algorithm, JDK))
            .sign(WireRequest.GET, AliceVerification.NOW);
    return WireRequest.GET
        .plus("Signature-Input", fields.signatureInput())
        .plus("Signature", fields.signature());
  }

  private static VerifiedSignature verify(
      WireRequest request, SignatureProfile profile, SignatureAlgorithm algorithm) {
    List<VerificationKey> keys = List.of(AlgorithmKeys.verification(algorithm, JDK));
    Clock clock = Clock.fixed(AliceVerification.NOW, ZoneOffset.UTC);
    return new MessageVerifier(profile, keyid -> keys, clock, JDK).verify(request, request.body());
  }

  private static VerificationException refusal(
      WireRequest request, SignatureProfile profile, SignatureAlgorithm algorithm) {
    return catchThrowableOfType(
        VerificationException.class, () -> verify(request, profile, algorithm));
  }
}
