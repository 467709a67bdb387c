package dev.countersign.benchmarks;

import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.Arrays;

/** The requests that are measured, as partners send them. */
public enum Message {
  /** One page of a list. */
  GET("GET", 0),
  /** A record to create. */
  POST_1_KIB("POST", 1 << 10),
  /** The largest body that the product reads by default. */
  POST_1_MIB("POST", 1 << 20);

  private static final String COLLECTION = "https://api.example.com/ledger/v1/wallets";

  private final String method;
  private final int bodyLength;

  Message(String method, int bodyLength) {
    this.method = method;
    this.bodyLength = bodyLength;
  }

  String method() {
    return method;
  }

  boolean hasBody() {
    return bodyLength > 0;
  }

  /** A new body of this length; empty for a message without a body. */
  byte[] newBody() {
    byte[] body = new byte[bodyLength];
    Arrays.fill(body, (byte) 'x');
    return body;
  }

  /** The target of the request with this number; different numbers have different targets. */
  String targetUri(int number) {
    return this == GET
        ? COLLECTION + "?page=" + number + "&size=20&sort=createdAt,desc"
        : COLLECTION + "?batch=" + number;
  }

  /**
   * The request with this number, to be signed, with Date and, if it has a body, Content-Digest.
   */
  SignableRequest signable(int number, byte[] body, Instant created, CryptoProvider crypto) {
    return SignableRequest.of(method, targetUri(number), created).withBody(body, crypto);
  }
}
