package dev.countersign.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rotation signed twice, the second time step by step as interface.md describes it, so that a
 * test can change any step.
 *
 * @param post signed by the present key alone
 * @param components what sig-next covers, as in Signature-Input
 * @param parameters what follows them
 * @param next what signs the second time
 */
record SignedRotation(
    RawRequest post, List<String> components, String parameters, PrivateKey next) {
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

  static SignedRotation of(TestClient client, KeyPair next, int overlapSeconds) {
    return of(client, next, body(next, overlapSeconds), Instant.now());
  }

  static SignedRotation of(TestClient client, KeyPair next, String body, Instant created) {
    return new SignedRotation(
        client.request("POST", KEYS, body, created, Map.of()),
        COMPONENTS,
        String.format(
            Locale.ROOT,
            ";created=%d;keyid=\"%s\";alg=\"rsa-v1_5-sha256\";tag=\"countersign-next-key\"",
            created.getEpochSecond(),
            client.clientId()),
        next.getPrivate());
  }

  /** A request with an overlap of a minute and the Idempotency-Key {@code rotation-1}. */
  static RawRequest keyed(TestClient client, KeyPair next, Instant created) {
    SignedRotation plain = of(client, next, body(next, 60), created);
    RawRequest post =
        client.request(
            "POST", KEYS, plain.post.body(), created, Map.of("Idempotency-Key", "rotation-1"));
    return new SignedRotation(post, plain.components, plain.parameters, plain.next).request();
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

  SignedRotation covering(List<String> others) {
    return new SignedRotation(post, others, parameters, next);
  }

  SignedRotation with(String parameter, String replacement) {
    return new SignedRotation(
        post, components, parameters.replaceFirst(parameter, replacement), next);
  }

  SignedRotation signedBy(PrivateKey other) {
    return new SignedRotation(post, components, parameters, other);
  }

  /** Returns the rotation with a label other than sig for the signature of the current key. */
  SignedRotation labelled(String label) {
    RawRequest relabelled = post;
    for (String field : List.of("Signature-Input", "Signature")) {
      relabelled = relabelled.with(field, post.header(field).replaceFirst("^sig=", label + "="));
    }
    List<String> others =
        components.stream()
            .map(component -> component.replace("\"sig\"", '"' + label + '"'))
            .toList();
    return new SignedRotation(relabelled, others, parameters, next);
  }

  /** Both signatures, each on its own line. */
  RawRequest request() {
    String input = "(" + String.join(" ", components) + ")" + parameters;
    return post.with(
            "Signature-Input",
            post.header("Signature-Input") + "\r\nSignature-Input: sig-next=" + input)
        .with(
            "Signature",
            post.header("Signature") + "\r\nSignature: sig-next=:" + signature(base(input)) + ":");
  }

  RawResponse send() {
    return request().send();
  }

  private String base(String input) {
    StringBuilder base = new StringBuilder();
    for (String component : components) {
      base.append(component).append(": ").append(value(component)).append('\n');
    }
    return base.append("\"@signature-params\": ").append(input).toString();
  }

  private String value(String component) {
    if (component.startsWith("\"signature\";key=")) {
      return post.header("Signature").replaceFirst("^[^=]*=", "");
    }
    return switch (component) {
      case "\"@method\"" -> post.method();
      case "\"@target-uri\"" -> "http://localhost:" + post.port() + post.target();
      case "\"content-digest\"" -> post.header("Content-Digest");
      case "\"date\"" -> post.header("Date");
      default -> throw new IllegalArgumentException(component);
    };
  }

  private String signature(String base) {
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(next);
      signer.update(base.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
