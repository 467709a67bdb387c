package dev.countersign.release.faults;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A partner that signs requests for the public URL and sends them to the balancer or to a node. */
final class Caller {
  private static final CryptoProvider CRYPTO = CryptoProvider.jdk();
  private static final Pattern REASON = Pattern.compile("\"reason\" *: *\"(\\w+)\"");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  static {
    // Every request has the public host, wherever it is sent.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    // A request is sent once: a copy by the client would look like an accepted replay.
    System.setProperty("jdk.httpclient.redirects.retrylimit", "1");
    System.setProperty("jdk.httpclient.disableRetryConnect", "true");
  }

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private final String clientId;
  private final String publicUrl;
  private final MessageSigner signer;
  private final MessageSigner signerWithNonce;

  Caller(String clientId, PrivateKey key, String publicUrl) {
    this.clientId = clientId;
    this.publicUrl = publicUrl;
    SigningKey signing = new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, key, CRYPTO);
    this.signer = new MessageSigner(PartnerProfile.REQUEST, signing);
    this.signerWithNonce =
        new MessageSigner(PartnerProfile.REQUEST.withRequiredParameters("nonce"), signing);
  }

  String clientId() {
    return clientId;
  }

  /** A signed request, whose bytes stay the same each time that it is sent. */
  record Signed(
      String method, String target, Map<String, String> headers, byte[] body, Instant created) {}

  /**
   * An answer.
   *
   * @param reason the product's word, empty if there is none
   * @param replayed whether it is the stored answer to an earlier request with the same key
   */
  record Answer(int status, String reason, boolean replayed) {
    /** Returns whether the request was recognized as a copy of an earlier one. */
    boolean isRecognizedCopy() {
      return replayed || reason.equals("replayed");
    }

    boolean isCreated() {
      return status == 201;
    }

    boolean isSuccess() {
      return status / 100 == 2;
    }

    /** Returns whether it is the answer to a request that was executed for it. */
    boolean isExecuted() {
      return isSuccess() && !replayed;
    }

    /** Returns whether the sender may conclude that this request was not executed. */
    boolean isRefusal() {
      return !isSuccess() && !reason.isEmpty() && !reason.equals("outcome_unknown");
    }
  }

  Signed get(String target) {
    return read(target, signer);
  }

  /** A GET with a nonce, which is accepted once. */
  Signed getWithNonce(String target) {
    return read(target, signerWithNonce);
  }

  /** A payment without an Idempotency-Key. */
  Signed pay(String reference) {
    return pay(reference, "");
  }

  /** A payment; an empty key stands for none. */
  Signed pay(String reference, String key) {
    byte[] body =
        ("{\"reference\":\"" + reference + "\",\"amount\":12.50}").getBytes(StandardCharsets.UTF_8);
    Instant now = Instant.now();
    SignableRequest request =
        SignableRequest.of("POST", publicUrl + Cluster.PAYMENTS, now)
            .withHeader("Content-Type", "application/json")
            .withBody(body, CRYPTO);
    if (!key.isEmpty()) {
      request = request.withHeader("Idempotency-Key", key);
    }
    return new Signed("POST", Cluster.PAYMENTS, request.signedHeaders(signer), body, now);
  }

  private Signed read(String target, MessageSigner with) {
    Instant now = Instant.now();
    SignableRequest request = SignableRequest.of("GET", publicUrl + target, now);
    return new Signed("GET", target, request.signedHeaders(with), new byte[0], now);
  }

  /** Sends a request to the balancer or to a node. */
  Answer send(URI to, Signed signed) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to.resolve(signed.target))
            .timeout(PATIENCE)
            .header("Host", URI.create(publicUrl).getAuthority())
            .method(
                signed.method,
                signed.body.length == 0
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(signed.body));
    signed.headers.forEach(request::header);
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    Matcher reason = REASON.matcher(response.body());
    return new Answer(
        response.statusCode(),
        reason.find() ? reason.group(1) : "",
        response.headers().firstValue("Idempotency-Replayed").isPresent());
  }
}
