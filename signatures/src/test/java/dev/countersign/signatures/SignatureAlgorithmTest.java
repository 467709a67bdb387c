package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every algorithm by name, with valid and invalid signatures, on every provider. */
class SignatureAlgorithmTest {
  private static final SignatureBase BASE = base("GET");
  private static final byte[] SIGNED = BASE.bytes();

  static Stream<Arguments> everyAlgorithmAndProvider() {
    return Arrays.stream(SignatureAlgorithm.values())
        .flatMap(
            algorithm ->
                Arrays.stream(TestedProvider.values())
                    .map(provider -> Arguments.of(algorithm, provider)));
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithmAndProvider")
  void signature_verifiesOnEveryProvider(SignatureAlgorithm algorithm, TestedProvider provider) {
    byte[] signature = AlgorithmKeys.signing(algorithm, provider.get()).sign(BASE);
    for (TestedProvider other : TestedProvider.values()) {
      VerificationKey key = AlgorithmKeys.verification(algorithm, other.get());
      assertThat(key.verifies(SIGNED, signature)).as("%s on %s", algorithm, other).isTrue();
      assertThat(key.verifies(base("POST").bytes(), signature)).isFalse();
      assertThat(key.verifies(new byte[0], signature)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithmAndProvider")
  void signature_withOneBitChanged_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) {
    VerificationKey key = AlgorithmKeys.verification(algorithm, provider.get());
    byte[] signature = AlgorithmKeys.signing(algorithm, provider.get()).sign(BASE);
    for (int bit = 0; bit < 8 * signature.length; bit += Cases.of(1, 13)) {
      byte[] changed = signature.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(key.verifies(SIGNED, changed)).as("bit " + bit).isFalse();
    }
    for (int bit = 0; bit < 8 * SIGNED.length; bit += 7) {
      byte[] changed = SIGNED.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(key.verifies(changed, signature)).as("bit " + bit + " of the base").isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithmAndProvider")
  void signature_ofAnotherLength_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) {
    VerificationKey key = AlgorithmKeys.verification(algorithm, provider.get());
    byte[] signature = AlgorithmKeys.signing(algorithm, provider.get()).sign(BASE);
    for (int length = 0; length < signature.length; length++) {
      assertThat(key.verifies(SIGNED, Arrays.copyOf(signature, length))).as("%s", length).isFalse();
      byte[] tail = Arrays.copyOfRange(signature, signature.length - length, signature.length);
      assertThat(key.verifies(SIGNED, tail)).as("the last %s", length).isFalse();
    }
    for (int more : new int[] {1, 2, 32, 64, signature.length, 4096}) {
      byte[] longer = Arrays.copyOf(signature, signature.length + more);
      assertThat(key.verifies(SIGNED, longer)).as("%s more", more).isFalse();
      byte[] zerosInFront = new byte[signature.length + more];
      System.arraycopy(signature, 0, zerosInFront, more, signature.length);
      assertThat(key.verifies(SIGNED, zerosInFront)).as("%s in front", more).isFalse();
    }
    assertThat(key.verifies(SIGNED, new byte[signature.length])).isFalse();
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithmAndProvider")
  void signature_underAnotherAlgorithm_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) {
    byte[] signature = AlgorithmKeys.signing(algorithm, provider.get()).sign(BASE);
    List<SignatureAlgorithm> verified = new ArrayList<>();
    for (SignatureAlgorithm other : SignatureAlgorithm.values()) {
      if (AlgorithmKeys.verification(other, provider.get()).verifies(SIGNED, signature)) {
        verified.add(other);
      }
    }
    // A JWS name for the same computation with the same key gives the same signature.
    assertThat(verified).contains(algorithm).allMatch(other -> areOne(algorithm, other));
  }

  private static boolean areOne(SignatureAlgorithm one, SignatureAlgorithm other) {
    return one == other
        || List.of(
                List.of(SignatureAlgorithm.RSA_PSS_SHA512, SignatureAlgorithm.JWS_PS512),
                List.of(SignatureAlgorithm.RSA_V1_5_SHA256, SignatureAlgorithm.JWS_RS256),
                List.of(SignatureAlgorithm.ECDSA_P256_SHA256, SignatureAlgorithm.JWS_ES256),
                List.of(SignatureAlgorithm.ECDSA_P384_SHA384, SignatureAlgorithm.JWS_ES384),
                List.of(SignatureAlgorithm.ED25519, SignatureAlgorithm.JWS_EDDSA))
            .stream()
            .anyMatch(pair -> pair.contains(one) && pair.contains(other));
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithmAndProvider")
  void signature_ofAnotherKeyOfThatKind_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    byte[] signature = AlgorithmKeys.signing(algorithm, crypto).sign(BASE);
    VerificationKey stranger =
        AlgorithmKeys.isHmac(algorithm)
            ? new VerificationKey(
                algorithm, new SecretKeySpec(AlgorithmKeys.random(64), "HMAC"), crypto)
            : new VerificationKey(algorithm, AlgorithmKeys.another(algorithm).getPublic(), crypto);
    assertThat(stranger.verifies(SIGNED, signature)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "RSA_PSS_SHA512, rsa-pss-sha512",
    "RSA_V1_5_SHA256, rsa-v1_5-sha256",
    "HMAC_SHA256, hmac-sha256",
    "ECDSA_P256_SHA256, ecdsa-p256-sha256",
    "ECDSA_P384_SHA384, ecdsa-p384-sha384",
    "ED25519, ed25519"
  })
  void name_ofTheRegistry_isThatAlgorithm(SignatureAlgorithm algorithm, String name) {
    assertThat(algorithm.registeredName()).contains(name);
    assertThat(algorithm.displayName()).isEqualTo(name);
    assertThat(SignatureAlgorithm.named(name)).contains(algorithm);
    assertThat(SignatureAlgorithm.jws(name)).isEmpty();
    assertThat(SignatureAlgorithm.named(name.toUpperCase(Locale.ROOT))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
        "HS256", "HS384", "HS512"
      })
  void name_ofJws_isFoundAsJwsAlone(String name) {
    SignatureAlgorithm algorithm = SignatureAlgorithm.jws(name).orElseThrow();
    assertThat(algorithm.name()).isEqualToIgnoringCase("JWS_" + name);
    assertThat(algorithm.registeredName()).isEmpty();
    assertThat(algorithm.displayName()).isEqualTo("JWS " + name);
    assertThat(SignatureAlgorithm.named(name)).isEmpty();
    assertThat(SignatureAlgorithm.named("JWS " + name)).isEmpty();
    assertThat(SignatureAlgorithm.jws("JWS " + name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "", " ", "ES256K", "rs256", "RSA-OAEP", "dir"})
  void name_ofNoSignature_isNeverFound(String name) {
    assertThat(SignatureAlgorithm.jws(name)).isEmpty();
    assertThat(SignatureAlgorithm.named(name)).isEmpty();
  }

  @Test
  void algorithms_areSixOfTheRegistryAndThirteenOfJws() {
    assertThat(SignatureAlgorithm.values()).hasSize(19);
    assertThat(SignatureAlgorithm.values())
        .filteredOn(algorithm -> algorithm.registeredName().isPresent())
        .hasSize(6);
  }

  @Test
  void parameters_ofAJwsKey_haveNoAlg() {
    CryptoProvider jdk = CryptoProvider.jdk();
    SigningKey jws = AlgorithmKeys.signing(SignatureAlgorithm.JWS_ES256, jdk);
    SigningKey registered = AlgorithmKeys.signing(SignatureAlgorithm.ECDSA_P256_SHA256, jdk);
    SignatureProfile profile =
        SignatureProfile.covering("@method")
            .withAlgorithms(jws.algorithm(), registered.algorithm());
    assertThat(sign(profile, jws)).doesNotContain("alg=");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sign(profile.withRequiredParameters("alg"), jws))
        .withMessageContaining("JWS ES256");
    assertThat(sign(profile.withRequiredParameters("alg"), registered))
        .contains(";alg=\"ecdsa-p256-sha256\"");
  }

  private static String sign(SignatureProfile profile, SigningKey key) {
    return new MessageSigner(profile, key)
        .sign(WireRequest.GET, AliceVerification.NOW)
        .signatureInput();
  }

  private static SignatureBase base(String method) {
    SignatureBase base =
        SignatureBase.of(
            List.of(ComponentIdentifier.of("@method")),
            "(\"@method\");created=1709622489",
            WireRequest.GET.withMethod(method),
            StructuredFieldRegistry.registered());
    assertThat(base.bytes()).isEqualTo(base.text().getBytes(US_ASCII));
    return base;
  }
}
