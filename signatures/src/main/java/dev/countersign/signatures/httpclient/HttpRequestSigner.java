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
 * <p>The copy has a Date and, with a body, a Content-Digest; where the request has them already,
 * they stay as they are. A body of known length over 64 KiB is read twice and never held: once to
 * be digested, once to be sent, and the sending fails if its bytes are others by then. Any other
 * body is read once and held, by the copy alone: for another attempt sign what {@link #withDigest}
 * gave. One that can be read only once and is too large to be held comes with its Content-Digest
 * set, and is not touched.
 */
@SuppressWarnings("exports") // As in HttpClientRequest.
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
   * A signed copy of a request, its URI spelled as it is sent. Signatures of other labels that it
   * has already stay. For another attempt sign the request anew, after {@link #withDigest}: a
   * signature is soon too old.
   *
   * @param created the signing time, which Date carries as well
   * @throws IllegalArgumentException when the request has a signature of this label, or something
   *     that the profile covers is missing or not sent as it was set
   * @throws java.io.UncheckedIOException when the body cannot be read
   */
  public HttpRequest sign(HttpRequest request, Instant created) {
    URI uri = SentUri.of(request.uri());
    SignableRequest made = SignableRequest.of(request.method(), uri.toString(), created);
    HttpRequest.Builder copy = copy(withDigest(request, crypto)).uri(uri);
    if (!has(request, DATE)) {
      copy.setHeader(DATE, only(made.fieldLines("date")));
    }
    SignedFields fields = signer.sign(HttpClientRequest.of(copy.build()), created);
    return copy.header("Signature-Input", fields.signatureInput())
        .header("Signature", fields.signature())
        .build();
  }

  /**
   * A copy of the request with the Content-Digest of its body (RFC 9530 section 2), not signed; the
   * request itself when it has one already, or no body. For several attempts with one body, which
   * its publisher may have only once: each signs this copy.
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
