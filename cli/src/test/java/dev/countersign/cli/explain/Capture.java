package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.server.TestService;
import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A captured request, possibly signed by a careless signer or changed by a careless proxy. */
public record Capture(String method, String target, Map<String, String> headers, String body) {
  public static final KeyPair KEYS = TestService.newKeyPair();
  public static final Instant CREATED = Instant.parse("2026-11-20T19:02:55Z");
  public static final String CLIENT_ID = "test-client";
  public static final String HOST = "api.example.com";

  public static RSAPublicKey publicKey() {
    return (RSAPublicKey) KEYS.getPublic();
  }

  /** A correctly signed GET. */
  public static Capture get(String target) {
    return signed("GET", target, "", base -> base, "SHA256withRSA");
  }

  /** A correctly signed POST. */
  public static Capture post(String target, String body) {
    return signed("POST", target, body, base -> base, "SHA256withRSA");
  }

  /** A GET whose signer signs another base than its Signature-Input describes. */
  public static Capture getSignedOver(String target, UnaryOperator<String> base) {
    return signed("GET", target, "", base, "SHA256withRSA");
  }

  public static Capture signed(
      String method, String target, String body, UnaryOperator<String> change, String algorithm) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", HOST);
    headers.put("Date", HttpDate.format(CREATED));
    String digest = "";
    if (!body.isEmpty()) {
      digest = ContentDigest.of(body.getBytes(UTF_8), CryptoProvider.jdk()).serialize();
      headers.put("Content-Digest", digest);
      headers.put("Content-Length", String.valueOf(body.getBytes(UTF_8).length));
    }
    String params =
        "(\"@method\" \"@target-uri\" "
            + (body.isEmpty() ? "" : "\"content-digest\" ")
            + "\"date\");created="
            + CREATED.getEpochSecond()
            + ";keyid=\""
            + CLIENT_ID
            + "\";alg=\"rsa-v1_5-sha256\"";
    String base =
        "\"@method\": "
            + method
            + "\n\"@target-uri\": https://"
            + HOST
            + target
            + (body.isEmpty() ? "" : "\n\"content-digest\": " + digest)
            + "\n\"date\": "
            + headers.get("Date")
            + "\n\"@signature-params\": "
            + params;
    headers.put("Signature-Input", "sig=" + params);
    headers.put("Signature", "sig=:" + sign(change.apply(base), algorithm) + ":");
    return new Capture(method, target, headers, body);
  }

  private static String sign(String base, String algorithm) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(KEYS.getPrivate());
      signature.update(base.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public Capture with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.put(name, value);
    return new Capture(method, target, changed, body);
  }

  public Capture without(String name) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.remove(name);
    return new Capture(method, target, changed, body);
  }

  /** The same signature, with another text for a part of Signature-Input. */
  public Capture withInput(String part, String other) {
    return with(
        "Signature-Input", headers.getOrDefault("Signature-Input", "").replace(part, other));
  }

  public Capture withTarget(String other) {
    return new Capture(method, other, headers, body);
  }

  public Capture withBody(String other) {
    return new Capture(method, target, headers, other)
        .with("Content-Length", String.valueOf(other.getBytes(UTF_8).length));
  }

  public String text() {
    StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text + "\r\n" + body;
  }

  CapturedRequest read() {
    return CapturedRequest.read(text().getBytes(UTF_8), Optional.empty());
  }

  Explanation explain() {
    return CapturedCheck.explain(read(), Hints.none().withPublicKey(publicKey()));
  }
}
