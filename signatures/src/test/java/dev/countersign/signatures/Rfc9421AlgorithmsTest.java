package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.SharedSecrets;
import dev.countersign.signatures.keys.TestedProvider;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The example signatures of RFC 9421, with its signature bases and the keys of appendix B.1. */
class Rfc9421AlgorithmsTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final byte[] PROXY_BASE =
      """
      "@method": POST
      "@authority": origin.host.internal.example
      "@path": /foo
      "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
      "content-type": application/json
      "content-length": 18
      "forwarded": for=192.0.2.123;host=example.com;proto=https
      "@signature-params": ("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded");created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540\
      """
          .getBytes(US_ASCII);
  private static final String PROXY_SIGNATURE =
      "S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy"
          + "+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49GwiyUpZ10KHgOEe11s"
          + "x3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7LB5YAv0RAGhB8tmpv7sFn"
          + "Im9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0"
          + "B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9ddzirrswsE1w"
          + "5o0LV/g==";

  private final JsonNode vectors = Vectors.json("rfc9421", "appendix-b.json");

  static Stream<Arguments> examples() {
    return Stream.of("B.2.1", "B.2.2", "B.2.3", "B.2.4", "B.2.5", "B.2.6")
        .flatMap(
            section ->
                Arrays.stream(TestedProvider.values())
                    .map(provider -> Arguments.of(section, provider)));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void rfc9421_B2_signature_verifies(String section, TestedProvider provider) {
    JsonNode example = example(section);
    SignatureAlgorithm algorithm = algorithm(example);
    VerificationKey key =
        algorithm == SignatureAlgorithm.HMAC_SHA256
            ? new VerificationKey(algorithm, secret(), provider.get())
            : new VerificationKey(
                algorithm,
                PublicKeys.read(text(example.get("key"), "publicKeyPem"), JDK),
                provider.get());
    byte[] base = base(example);
    assertThat(key.verifies(base, signature(example))).isTrue();
    base[base.length - 1] ^= 1;
    assertThat(key.verifies(base, signature(example))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B2_5_hmac_isReproduced(TestedProvider provider) {
    JsonNode example = example("B.2.5");
    SigningKey key =
        new SigningKey("test-shared-secret", algorithm(example), secret(), provider.get());
    assertThat(key.sign(base(example))).isEqualTo(signature(example));
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B2_6_ed25519_isReproduced(TestedProvider provider) {
    JsonNode example = example("B.2.6");
    assertThat(signingKey(example, provider).sign(base(example))).isEqualTo(signature(example));
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_rsaV15_isReproduced(TestedProvider provider) {
    SignatureAlgorithm algorithm = SignatureAlgorithm.RSA_V1_5_SHA256;
    JsonNode pems = vectors.get("keys").get("test-key-rsa");
    PrivateKey privateKey = PrivateKeys.read(pems.get("privateKeyPem").asString(), provider.get());
    byte[] signature = Base64.getDecoder().decode(PROXY_SIGNATURE);
    SigningKey signingKey = new SigningKey("test-key-rsa", algorithm, privateKey, provider.get());
    assertThat(signingKey.sign(PROXY_BASE)).isEqualTo(signature);
    assertThat(
            new VerificationKey(
                    algorithm,
                    PublicKeys.read(pems.get("publicKeyPem").asString(), provider.get()),
                    provider.get())
                .verifies(PROXY_BASE, signature))
        .isTrue();
  }

  /**
   * The keys of B.1.2 and B.1.3 make a different signature each time, so it cannot be compared with
   * the printed one. The test shows that each private key belongs to the printed public key.
   */
  @Test
  void rfc9421_B2_1_B2_4_randomizedSignature_verifiesUnderThePrintedPublicKey() {
    for (String section : new String[] {"B.2.1", "B.2.4"}) {
      JsonNode example = example(section);
      byte[] signature = signingKey(example, TestedProvider.JDK).sign(base(example));
      assertThat(signature).isNotEqualTo(signature(example));
      VerificationKey key =
          new VerificationKey(
              algorithm(example),
              PublicKeys.read(text(example.get("key"), "publicKeyPem"), JDK),
              JDK);
      assertThat(key.verifies(base(example), signature)).isTrue();
    }
  }

  // The JDK reads the keys, because Corretto has no KeyFactory for two of the key types.
  private SigningKey signingKey(JsonNode example, TestedProvider provider) {
    return new SigningKey(
        example.get("key").asString(),
        algorithm(example),
        PrivateKeys.read(text(example.get("key"), "privateKeyPem"), JDK),
        provider.get());
  }

  private SecretKey secret() {
    return SharedSecrets.read(
        vectors.get("keys").get("test-shared-secret").get("base64").asString(), 32);
  }

  private String text(JsonNode key, String form) {
    return vectors.get("keys").get(key.asString()).get(form).asString();
  }

  private JsonNode example(String section) {
    for (JsonNode example : vectors.get("cases")) {
      if (example.get("section").asString().equals(section)) {
        return example;
      }
    }
    throw new AssertionError("no example " + section);
  }

  private static SignatureAlgorithm algorithm(JsonNode example) {
    return SignatureAlgorithm.named(example.get("algorithm").asString()).orElseThrow();
  }

  private static byte[] base(JsonNode example) {
    return example.get("signatureBase").asString().getBytes(US_ASCII);
  }

  private static byte[] signature(JsonNode example) {
    String member = example.get("signature").asString();
    return Base64.getDecoder()
        .decode(member.substring(member.indexOf(':') + 1, member.length() - 1));
  }
}
