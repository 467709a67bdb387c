package dev.countersign.server;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import java.security.PrivateKey;

/** A registered client that signs correctly; tests change its requests before sending them. */
public final class TestClient {
  private final int port;
  private final String clientId;
  private final PrivateKey privateKey;

  public TestClient(int port, String clientId, PrivateKey privateKey) {
    this.port = port;
    this.clientId = clientId;
    this.privateKey = privateKey;
  }

  int port() {
    return port;
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
    return signed("GET", target).request();
  }

  /** A signed POST of JSON. */
  public RawRequest post(String target, String json) {
    return signed("POST", target, json).request();
  }

  /** A request without a body that this client signs. */
  public TestRequest signed(String method, String target) {
    return signed(method, target, "");
  }

  /** A request with JSON that this client signs; an empty text for no body. */
  public TestRequest signed(String method, String target, String json) {
    return TestRequest.of(this, method, target, json);
  }
}
