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
 * they stay as they are. To digest a body it is read into memory, and the copy sends those bytes. A
 * body too large for that comes with its Content-Digest set, and is not touched.
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
   * has already stay. For another attempt sign the request anew: a signature is soon too old.
   *
   * @param created the signing time, which Date carries as well
   * @throws IllegalArgumentException when the request has a signature of this label, or something
   *     that the profile covers is missing or not sent as it was set
   * @throws java.io.UncheckedIOException when the body cannot be read
   */
  public HttpRequest sign(HttpRequest request, Instant created) {
    URI uri = SentUri.of(request.uri());
    SignableRequest made = SignableRequest.of(request.method(), uri.toString(), created);
    HttpRequest.Builder copy = HttpRequest.newBuilder(request, (name, value) -> true).uri(uri);
    if (!has(request, DATE)) {
      copy.setHeader(DATE, only(made.fieldLines("date")));
    }
    Optional<BodyPublisher> publisher = request.bodyPublisher();
    if (publisher.isPresent() && !has(request, CONTENT_DIGEST)) {
      digest(PublishedBody.read(publisher.get()), request.method(), made, copy);
    }
    SignedFields fields = signer.sign(HttpClientRequest.of(copy.build()), created);
    return copy.header("Signature-Input", fields.signatureInput())
        .header("Signature", fields.signature())
        .build();
  }

  private void digest(byte[] body, String method, SignableRequest made, HttpRequest.Builder copy) {
    if (body.length == 0) {
      copy.method(method, BodyPublishers.noBody());
      return;
    }
    copy.method(method, BodyPublishers.ofByteArray(body));
    copy.setHeader(CONTENT_DIGEST, only(made.withBody(body, crypto).fieldLines("content-digest")));
  }

  private static boolean has(HttpRequest request, String name) {
    return request.headers().firstValue(name).isPresent();
  }

  private static String only(List<String> lines) {
    return lines.get(0);
  }
}
