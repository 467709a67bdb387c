package dev.countersign.signatures;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A response built from its parts and ready to be signed, with the request that it answers.
 *
 * <pre>{@code
 * SignableResponse response = SignableResponse.of(200, request, now).withBody(body, crypto);
 * Map<String, String> headers = response.signedHeaders(signer);
 * }</pre>
 */
public final class SignableResponse implements ResponseMessage {
  private final int status;
  private final RequestMessage request;
  private final Instant created;
  private final BodyFraming bodyFraming;
  private final MessageHeaders headers;

  private SignableResponse(
      int status,
      RequestMessage request,
      Instant created,
      BodyFraming bodyFraming,
      MessageHeaders headers) {
    this.status = status;
    this.request = request;
    this.created = created;
    this.bodyFraming = bodyFraming;
    this.headers = headers;
  }

  /**
   * Creates a response without a body.
   *
   * @param status the status code, 100 to 599
   * @param request the request that the response answers
   * @param created the signing time, which is also the response's Date
   */
  public static SignableResponse of(int status, RequestMessage request, Instant created) {
    return new SignableResponse(
        status, request, created, BodyFraming.NONE, MessageHeaders.of(created));
  }

  /**
   * Returns a copy with this body and its SHA-256 digest, instead of any earlier body. An empty
   * body counts as none.
   */
  public SignableResponse withBody(byte[] body, CryptoProvider crypto) {
    return withBody(body, crypto, Set.of(DigestAlgorithm.SHA_256));
  }

  /**
   * Returns a copy with this body and its digests, instead of any earlier body. An empty body
   * counts as none.
   *
   * @throws IllegalArgumentException when there is a body and no algorithm
   */
  public SignableResponse withBody(
      byte[] body, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    return new SignableResponse(
        status,
        request,
        created,
        body.length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT,
        headers.withBody(body, crypto, algorithms));
  }

  /**
   * Returns a copy with a header field, which replaces any field of the same name (names are
   * case-insensitive).
   *
   * @throws IllegalArgumentException for a field that this class sets itself, such as Date, for an
   *     invalid name, and for a value with a line break or U+0000
   */
  public SignableResponse withHeader(String name, String value) {
    return new SignableResponse(status, request, created, bodyFraming, headers.with(name, value));
  }

  /**
   * Signs the response, and returns all header fields to send: the fields that were added, Date,
   * Content-Digest if there is a body, Signature-Input and Signature.
   */
  public Map<String, String> signedHeaders(MessageSigner signer) {
    return headers.toMapWith(signer.sign(this, created));
  }

  /**
   * Signs the response as the request asks in Accept-Signature, and returns all header fields to
   * send.
   *
   * @param asked the signature that the request asks for
   * @throws AcceptSignatureException when the signer cannot provide that signature
   */
  public Map<String, String> signedHeaders(MessageSigner signer, SignatureRequest asked) {
    return headers.toMapWith(signer.answer(asked, this, created));
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public Optional<RequestMessage> request() {
    return Optional.of(request);
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
