package dev.countersign.client.rotation;

import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignedFields;
import dev.countersign.signatures.httpclient.HttpClientRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The request that registers a key, with two signatures. The signature by the current key
 * identifies the client. The signature by the new key covers the first signature and proves that
 * the client owns the new key (RFC 9421 section 4.3).
 */
final class RotationRequest {
  static final String PATH = "/integrations/v1/keys";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI uri;
  private final String clientId;
  private final NextKey next;
  private final byte[] body;

  RotationRequest(BaseUrl base, String clientId, NextKey next, Duration overlap) {
    this.uri = base.resolve(PATH);
    this.clientId = clientId;
    this.next = next;
    this.body =
        JsonMapper.shared()
            .writeValueAsBytes(
                Map.of("publicKey", next.publicPem(), "overlapSeconds", overlap.toSeconds()));
  }

  /**
   * Signs the request. Sign each attempt in a different second: two attempts from the same second
   * consist of the same bytes, so the service refuses the second attempt as a replay.
   */
  HttpRequest signed(KeySource current, Instant created) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    HttpRequest signedByCurrent =
        RequestSigner.of(clientId, current)
            .withClock(Clock.fixed(created, ZoneOffset.UTC))
            .sign(request);
    SignedFields proof =
        new MessageSigner(
                PartnerProfile.nextKey(PartnerProfile.REQUEST.label()),
                next.source().signingKey(clientId))
            .sign(HttpClientRequest.of(signedByCurrent), created);
    return HttpRequest.newBuilder(signedByCurrent, (name, value) -> true)
        .header("Signature-Input", proof.signatureInput())
        .header("Signature", proof.signature())
        .build();
  }
}
