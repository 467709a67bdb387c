package dev.countersign.signatures;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request built from its parts and ready to be signed, with its Date and Content-Digest.
 *
 * <pre>{@code
 * SignableRequest request = SignableRequest.of("GET", uri, now);
 * Map<String, String> headers = request.signedHeaders(signer);
 * }</pre>
 */
public final class SignableRequest implements RequestMessage {
  private final String method;
  private final String targetUri;
  private final Instant created;
  private final BodyFraming bodyFraming;
  private final MessageHeaders headers;

  private SignableRequest(
      String method,
      String targetUri,
      Instant created,
      BodyFraming bodyFraming,
      MessageHeaders headers) {
    this.method = method;
    this.targetUri = targetUri;
    this.created = created;
    this.bodyFraming = bodyFraming;
    this.headers = headers;
  }

  /**
   * Creates a request without a body.
   *
   * @param targetUri the absolute URI exactly as it will be sent
   * @param created the signing time, which is also its Date
   * @throws IllegalArgumentException when the URI has a fragment
   */
  public static SignableRequest of(String method, String targetUri, Instant created) {
    // RFC 9110 section 7.1: the target URI excludes the fragment, which is never sent.
    if (targetUri.indexOf('#') >= 0) {
      throw new IllegalArgumentException(
          "the URI must not have a fragment; remove # and the text after it");
    }
    return new SignableRequest(
        method, targetUri, created, BodyFraming.NONE, MessageHeaders.of(created));
  }

  /**
   * Returns a copy with this body and its SHA-256 digest, which replace any previous body and
   * digest. An empty body counts as no body.
   */
  public SignableRequest withBody(byte[] body, CryptoProvider crypto) {
    return withBody(body, crypto, Set.of(DigestAlgorithm.SHA_256));
  }

  /**
   * Returns a copy with this body and its digests, which replace any previous body and digests. An
   * empty body counts as no body.
   *
   * @throws IllegalArgumentException when there is a body and no algorithm
   */
  public SignableRequest withBody(
      byte[] body, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    return new SignableRequest(
        method,
        targetUri,
        created,
        body.length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT,
        headers.withBody(body, crypto, algorithms));
  }

  /**
   * Returns a copy with a header field, which replaces any field of the same name (names are
   * case-insensitive).
   *
   * @throws IllegalArgumentException for a field that this class sets itself, such as Date, and for
   *     a value with a line break
   */
  public SignableRequest withHeader(String name, String value) {
    return new SignableRequest(method, targetUri, created, bodyFraming, headers.with(name, value));
  }

  /**
   * Signs the request, and returns all header fields to send: the fields that were added, Date,
   * Content-Digest if there is a body, Signature-Input and Signature.
   */
  public Map<String, String> signedHeaders(MessageSigner signer) {
    return headers.toMapWith(signer.sign(this, created));
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String targetUri() {
    return targetUri;
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return headers.lines(lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFraming;
  }
}
