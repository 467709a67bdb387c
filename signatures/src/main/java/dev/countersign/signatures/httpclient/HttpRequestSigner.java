package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignedFields;
import dev.countersign.signatures.keys.CryptoProvider;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Signs requests of {@link java.net.http.HttpClient} (RFC 9421 section 3.1).
 *
 * <pre>{@code
 * HttpRequest signed = new HttpRequestSigner(signer, crypto).sign(request, clock.instant());
 * }</pre>
 *
 * <p>The signed copy has a Date and, if there is a body, a Content-Digest. If the request already
 * has these fields, they stay as they are. A body of known length over 64 KiB is not kept in
 * memory: it is read once for the digest and again to be sent. Sending fails if the bytes have
 * changed in between. Any other body is read once, and the signed copy keeps it in memory. To sign
 * a request with such a body for several attempts, use {@link #withDigest}. If a body can be read
 * only once and is too large to keep, set Content-Digest yourself; the signer then does not read
 * the body.
 */
@SuppressWarnings("exports") // For the same reason as HttpClientRequest.
public final class HttpRequestSigner {
  private static final String DATE = "Date";
  private static final String CONTENT_DIGEST = "Content-Digest";

  private final MessageSigner signer;
  private final CryptoProvider crypto;

  public HttpRequestSigner(MessageSigner signer, CryptoProvider crypto) {
    this.signer = signer;
    this.crypto = crypto;
  }

  /**
   * Returns a signed copy of a request, with its URI spelled as it is sent. Existing signatures
   * with other labels stay. Sign again for each attempt, because a signature soon becomes too old.
   * If the body can be read only once, sign the result of {@link #withDigest}.
   *
   * @param created the signing time, which is also the Date
   * @throws IllegalArgumentException when the request already has a signature with the profile's
   *     label, or when a part that the profile covers is missing or would not be sent as it was set
   * @throws java.io.UncheckedIOException when the body cannot be read
   */
  public HttpRequest sign(HttpRequest request, Instant created) {
    URI uri = SentUri.of(request.uri());
    SignableRequest signable = SignableRequest.of(request.method(), uri.toString(), created);
    HttpRequest.Builder copy = copy(withDigest(request, crypto)).uri(uri);
    if (!has(request, DATE)) {
      copy.setHeader(DATE, only(signable.fieldLines("date")));
    }
    SignedFields fields = signer.sign(HttpClientRequest.of(copy.build()), created);
    return copy.header("Signature-Input", fields.signatureInput())
        .header("Signature", fields.signature())
        .build();
  }

  /**
   * Returns an unsigned copy of the request with the Content-Digest of its body (RFC 9530 section
   * 2). Returns the request itself if it already has a Content-Digest or has no body. If a
   * publisher may provide its body only once, call this method once, and sign the copy for each
   * attempt.
   *
   * @throws java.io.UncheckedIOException when the body cannot be read
   */
  public static HttpRequest withDigest(HttpRequest request, CryptoProvider crypto) {
    Optional<BodyPublisher> publisher = request.bodyPublisher();
    if (publisher.isEmpty() || has(request, CONTENT_DIGEST)) {
      return request;
    }
    DigestedBody body = DigestedBody.read(publisher.get(), crypto);
    if (body.isEmpty()) {
      return copy(request).method(request.method(), BodyPublishers.noBody()).build();
    }
    return copy(request)
        .method(request.method(), body.publisher())
        .setHeader(CONTENT_DIGEST, body.contentDigest())
        .build();
  }

  private static HttpRequest.Builder copy(HttpRequest request) {
    return HttpRequest.newBuilder(request, (name, value) -> true);
  }

  private static boolean has(HttpRequest request, String name) {
    return request.headers().firstValue(name).isPresent();
  }

  private static String only(List<String> lines) {
    return lines.get(0);
  }
}
