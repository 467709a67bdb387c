package dev.countersign.server;

import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests for a new key. They are signed twice: by the client's key, and by the next one, so that
 * a test can change any step of the second signature.
 */
final class SignedRotation {
  static final String KEYS = "/integrations/v1/keys";
  static final String WALLETS = "/ledger/v1/wallets";

  /** A new key for requests that are refused, so that each of them can use it. */
  static final KeyPair NEXT = TestService.newKeyPair();

  static final List<String> COMPONENTS =
      List.of(
          "\"@method\"",
          "\"@target-uri\"",
          "\"content-digest\"",
          "\"date\"",
          "\"signature\";key=\"sig\"");

  private SignedRotation() {}

  static TestRequest of(TestClient client, KeyPair next, int overlapSeconds) {
    return of(client, next, body(next, overlapSeconds), Instant.now());
  }

  static TestRequest of(TestClient client, KeyPair next, String body, Instant created) {
    return signedAgain(client.signed("POST", KEYS, body).createdAt(created), next);
  }

  /** A request with an overlap of a minute and the Idempotency-Key {@code rotation-1}. */
  static RawRequest keyed(TestClient client, KeyPair next, Instant created) {
    TestRequest first = client.signed("POST", KEYS, body(next, 60)).createdAt(created);
    return signedAgain(first.with("Idempotency-Key", "rotation-1"), next).request();
  }

  /** Signs a signed request again, with the next key. */
  static TestRequest signedAgain(TestRequest first, KeyPair next) {
    List<String> components =
        COMPONENTS.stream()
            .map(each -> each.replace("\"sig\"", '"' + first.label() + '"'))
            .toList();
    return new TestRequest(
        first.request(),
        first.url(),
        components,
        "sig-next",
        first.parameters() + ";tag=\"countersign-next-key\"",
        next.getPrivate());
  }

  /** Lets the rotations of a client look older, so that it may rotate again. */
  static void age(TestService service, TestClient client, Duration age) {
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql(
                        "UPDATE client_key_history SET rotated_at = rotated_at - ?"
                            + " WHERE client_id = ?")
                    .params(age.toMillis(), client.clientId())
                    .update());
  }

  static String body(KeyPair next, int overlapSeconds) {
    return JsonMapper.shared()
        .writeValueAsString(Map.of("publicKey", pem(next), "overlapSeconds", overlapSeconds));
  }

  static String pem(KeyPair pair) {
    return RsaPublicKeys.toPem(pair.getPublic());
  }

  static String fingerprint(KeyPair pair) {
    return KeyFingerprint.of((RSAPublicKey) pair.getPublic()).value();
  }
}
