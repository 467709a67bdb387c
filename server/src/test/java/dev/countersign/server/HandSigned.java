package dev.countersign.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A request signed with a client's key step by step as interface.md describes it, without our own
 * code, so that a test can change any step.
 *
 * @param url what is signed as the target URI
 * @param fields the covered fields, lower-case names in the order of the list
 * @param parameters what follows the list of components
 * @param key what signs
 */
record HandSigned(
    int port,
    String method,
    String target,
    String url,
    Map<String, String> fields,
    String parameters,
    String body,
    PrivateKey key) {
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  static HandSigned get(TestClient client, int port, String target) {
    return of(client, port, "GET", target, "");
  }

  static HandSigned post(TestClient client, int port, String target, String body) {
    return of(client, port, "POST", target, body);
  }

  static HandSigned of(TestClient client, int port, String method, String target, String body) {
    Instant now = Instant.now();
    Map<String, String> fields = new LinkedHashMap<>();
    if (!body.isEmpty()) {
      fields.put("content-digest", "sha-256=:" + digest("SHA-256", body) + ":");
    }
    fields.put("date", HTTP_DATE.format(now));
    String parameters =
        String.format(
            Locale.ROOT,
            ";created=%d;keyid=\"%s\";alg=\"rsa-v1_5-sha256\"",
            now.getEpochSecond(),
            client.clientId());
    return new HandSigned(
        port,
        method,
        target,
        "http://localhost:" + port + target,
        fields,
        parameters,
        body,
        client.privateKey());
  }

  static String digest(String algorithm, String body) {
    try {
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance(algorithm).digest(body.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String httpDate(Instant instant) {
    return HTTP_DATE.format(instant);
  }

  HandSigned with(String field, String value) {
    Map<String, String> changed = new LinkedHashMap<>(fields);
    changed.put(field, value);
    return new HandSigned(port, method, target, url, changed, parameters, body, key);
  }

  HandSigned without(String field) {
    Map<String, String> changed = new LinkedHashMap<>(fields);
    changed.remove(field);
    return new HandSigned(port, method, target, url, changed, parameters, body, key);
  }

  HandSigned withUrl(String other) {
    return new HandSigned(port, method, target, other, fields, parameters, body, key);
  }

  /** Returns the request with other parameters, such as {@code ;created=1}. */
  HandSigned withParameters(String other) {
    return new HandSigned(port, method, target, url, fields, other, body, key);
  }

  HandSigned withMore(String more) {
    return withParameters(parameters + more);
  }

  /** Returns the request with created this many seconds from now, and Date at the same instant. */
  HandSigned createdIn(long seconds) {
    Instant created = Instant.now().plusSeconds(seconds);
    return with("date", HTTP_DATE.format(created))
        .withParameters(
            parameters.replaceFirst("created=[0-9]+", "created=" + created.getEpochSecond()));
  }

  RawRequest request() {
    Map<String, String> components = new LinkedHashMap<>();
    components.put("@method", method);
    components.put("@target-uri", url);
    components.putAll(fields);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", "localhost:" + port);
    headers.putAll(fields);
    headers.putAll(HandmadeSignature.headers(components, parameters, key));
    if (!body.isEmpty()) {
      headers.put("Content-Type", "application/json");
      headers.put("Content-Length", String.valueOf(body.getBytes(UTF_8).length));
    }
    return new RawRequest(port, method, target, headers, body);
  }

  RawResponse send() {
    return request().send();
  }
}
