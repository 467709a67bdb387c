package dev.countersign.server;

import static dev.countersign.server.SignedRotation.NEXT;
import static dev.countersign.server.SignedRotation.fingerprint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The rules for the body of a rotation, and the keys that are accepted. */
@SharedConfiguredService
class RotationBodyTest {
  private TestService service;
  private TestClient client;

  @BeforeEach
  void register(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  @Test
  void privateKey_inPlaceOfThePublicOne_isRefusedAsLeaked() {
    String secret = Base64.getMimeEncoder().encodeToString(NEXT.getPrivate().getEncoded());
    String pem = "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n";
    String member = JsonMapper.shared().writeValueAsString(Map.of("publicKey", pem));

    String beside =
        JsonMapper.shared()
            .writeValueAsString(Map.of("publicKey", SignedRotation.pem(NEXT), "privateKey", pem));

    String jwk = "{\"publicKey\":{\"kty\":\"RSA\",\"n\":\"sXch\",\"d\":\"VFCW\"}}";

    for (String body : List.of(member, pem, beside, jwk)) {
      RawResponse answer = SignedRotation.of(client, NEXT, body, Instant.now()).send();
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.reason()).isEqualTo("body_invalid");
      assertThat(answer.json().path("detail").stringValue()).contains("private key", "leaked");
      assertThat(answer.body()).doesNotContain(secret.substring(0, 40));
    }
  }

  @Test
  void pastedKey_inJsonOrWithInvisibleCharacters_isRefused() {
    String pem = SignedRotation.pem(NEXT);
    for (String text :
        List.of(
            pem.replaceFirst("\n", "\n\u200b"),
            "'" + pem.replace("\n", "\n\u00ad") + "'",
            JsonMapper.shared().writeValueAsString(Map.of("pem", pem)))) {
      String body = JsonMapper.shared().writeValueAsString(Map.of("publicKey", text));

      assertInvalid(SignedRotation.of(client, NEXT, body, Instant.now()).send(), "publicKey: ");
    }
  }

  @Test
  void weakKey_isRefused() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);

    assertInvalid(SignedRotation.of(client, generator.generateKeyPair(), 60).send(), "2048");
  }

  @Test
  void keyOfAnotherClient_isRefusedWithoutNamingIt() {
    KeyPair taken = TestService.newKeyPair();
    TestClient other = service.register(taken);

    RawResponse answer = SignedRotation.of(client, taken, 60).send();

    assertInvalid(answer, "is in use or was used before");
    assertThat(answer.body()).doesNotContain(other.clientId());
  }

  @Test
  void keyThatTheClientHadBefore_isRefused() {
    KeyPair next = TestService.newKeyPair();
    SignedRotation.of(client, next, 60).send();
    service.part(ClientStore.class).removeKey(client.clientId(), fingerprint(next));

    assertInvalid(SignedRotation.of(client, next, 61).send(), "was used before");
  }

  @Test
  void keyThatIsWeakInAWayThatTakesTimeToSee_isJudgedAfterItsProof() throws Exception {
    KeyPair smooth = CraftedKeyPairs.smooth();
    RawRequest unproven = client.post(SignedRotation.KEYS, SignedRotation.body(smooth, 60));

    assertThat(unproven.send().reason()).isEqualTo("possession_unproven");
    assertInvalid(SignedRotation.of(client, smooth, 61).send(), "a factor below 752");
  }

  @Test
  void modulusOfALiveKey_withAnotherExponent_isRefused() throws Exception {
    RSAPrivateCrtKey present = (RSAPrivateCrtKey) client.privateKey();
    BigInteger phi =
        present
            .getPrimeP()
            .subtract(BigInteger.ONE)
            .multiply(present.getPrimeQ().subtract(BigInteger.ONE));
    BigInteger exponent = BigInteger.valueOf(65_539);
    while (!exponent.gcd(phi).equals(BigInteger.ONE)) {
      exponent = exponent.add(BigInteger.TWO);
    }
    KeyPair same = CraftedKeyPairs.of(present.getModulus(), exponent, phi);

    assertInvalid(
        SignedRotation.of(client, same, 60).send(), "has the same modulus as key SHA256:");
  }

  @Test
  void keyThatIsEnding_isNotTakenBack() {
    KeyPair next = TestService.newKeyPair();
    KeyPair after = TestService.newKeyPair();
    SignedRotation.of(client, next, 1).send();
    SignedRotation.age(service, client, Duration.ofMinutes(1));
    TestClient rotated = client.with(next.getPrivate());
    RawResponse answer = SignedRotation.of(rotated, after, 600).send();
    for (int i = 0; i < 30 && answer.status() == 409; i++) {
      // An equal request in the same second would be a replay.
      sleep(Integer.parseInt(answer.header("retry-after")));
      answer = SignedRotation.of(rotated, after, 600).send();
    }
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);

    assertInvalid(SignedRotation.of(rotated, next, 60).send(), "is in use or was used before");
  }

  static Stream<String> bodies() {
    return Stream.of("[]", "{}", "nonsense", "{\"publicKey\":7}", "{\"publicKey\":\"abc\"}");
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void body_thatIsNoRequest_isRefused(String body) {
    assertInvalid(SignedRotation.of(client, NEXT, body, Instant.now()).send(), "");
  }

  @Test
  void body_withAnUnknownOrRepeatedMember_isRefused() {
    String body = SignedRotation.body(NEXT, 60);
    String unknown = body.replace("overlapSeconds", "overlap");
    String twice = body.replace("}", ",\"overlapSeconds\":60}");

    assertInvalid(
        SignedRotation.of(client, NEXT, unknown, Instant.now()).send(), "the only members");
    assertInvalid(SignedRotation.of(client, NEXT, twice, Instant.now()).send(), "duplicate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "2592001", "99999999999999999999", "1.5", "\"60\"", "null"})
  void overlap_outOfItsBounds_isRefused(String overlap) {
    String body = SignedRotation.body(NEXT, 60).replace(":60", ":" + overlap);

    assertInvalid(SignedRotation.of(client, NEXT, body, Instant.now()).send(), "1 to 2592000");
  }

  private static void assertInvalid(RawResponse answer, String detail) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(422);
    assertThat(answer.reason()).isEqualTo("body_invalid");
    assertThat(answer.json().path("detail").stringValue()).contains(detail);
    assertThat(answer.json().path("errors").isArray()).isTrue();
  }

  private static void sleep(int seconds) {
    try {
      Thread.sleep(1_000L * seconds);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
