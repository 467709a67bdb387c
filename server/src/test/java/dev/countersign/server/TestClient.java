package dev.countersign.server;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A registered client that signs correctly; tests change its requests before sending them. */
public final class TestClient {
  private final int port;
  private final String clientId;
  private final PrivateKey privateKey;

  TestClient(int port, String clientId, PrivateKey privateKey) {
    this.port = port;
    this.clientId = clientId;
    this.privateKey = privateKey;
  }

  public String clientId() {
    return clientId;
  }

  /** The key that it signs with. */
  public PrivateKey privateKey() {
    return privateKey;
  }

  /** Returns this client with another key, such as its next one. */
  public TestClient with(PrivateKey other) {
    return new TestClient(port, clientId, other);
  }

  /** Returns this client's key under another keyid. */
  public TestClient as(String keyid) {
    return new TestClient(port, keyid, privateKey);
  }

  public MessageSigner signer() {
    return new MessageSigner(
        PartnerProfile.REQUEST,
        new SigningKey(
            clientId, SignatureAlgorithm.RSA_V1_5_SHA256, privateKey, TestService.CRYPTO));
  }

  /** A signed GET of a path with its query. */
  public RawRequest get(String target) {
    return request("GET", target, "", Instant.now(), Map.of());
  }

  /** A signed POST of JSON. */
  public RawRequest post(String target, String json) {
    return request("POST", target, json, Instant.now(), Map.of());
  }

  /** A signed request with everything given; further headers are set before signing. */
  public RawRequest request(
      String method, String target, String body, Instant created, Map<String, String> further) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    SignableRequest request =
        SignableRequest.of(method, "http://localhost:" + port + target, created)
            .withBody(bytes, TestService.CRYPTO);
    for (Map.Entry<String, String> header : further.entrySet()) {
      request = request.withHeader(header.getKey(), header.getValue());
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", "localhost:" + port);
    headers.putAll(request.signedBy(signer()));
    if (bytes.length > 0) {
      headers.put("Content-Type", "application/json");
      headers.put("Content-Length", String.valueOf(bytes.length));
    }
    return new RawRequest(port, method, target, headers, body);
  }
}
