package dev.countersign.signatures;

import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request made from its parts, ready to be signed: it knows its Date and its Content-Digest.
 *
 * <pre>{@code
 * SignableRequest request = SignableRequest.of("GET", uri, now);
 * Map<String, String> headers = request.signedBy(signer);
 * }</pre>
 */
public final class SignableRequest implements HttpMessage {
  private final String method;
  private final String targetUri;
  private final Instant created;
  private final BodyFraming bodyFraming;
  private final Map<String, String> headers;

  private SignableRequest(
      String method,
      String targetUri,
      Instant created,
      BodyFraming bodyFraming,
      Map<String, String> headers) {
    this.method = method;
    this.targetUri = targetUri;
    this.created = created;
    this.bodyFraming = bodyFraming;
    this.headers = headers;
  }

  /**
   * A request without a body.
   *
   * @param targetUri the URI exactly as it will be sent
   * @param created the signing time, which Date carries as well
   */
  public static SignableRequest of(String method, String targetUri, Instant created) {
    return new SignableRequest(
        method, targetUri, created, BodyFraming.NONE, Map.of("Date", HttpDate.format(created)));
  }

  /** This request with a body; an empty one is no body. */
  public SignableRequest withBody(byte[] body, CryptoProvider crypto) {
    if (body.length == 0) {
      return this;
    }
    return new SignableRequest(
        method,
        targetUri,
        created,
        BodyFraming.PRESENT,
        with(headers, "Content-Digest", ContentDigest.of(body, crypto).serialize()));
  }

  /** This request with a header field in place of one of that name; covered if the profile does. */
  public SignableRequest withHeader(String name, String value) {
    return new SignableRequest(method, targetUri, created, bodyFraming, with(headers, name, value));
  }

  /** All header fields to send: those given, Date, Content-Digest, and the signature's two. */
  public Map<String, String> signedBy(MessageSigner signer) {
    SignedFields fields = signer.sign(this, created);
    return with(
        with(headers, "Signature-Input", fields.signatureInput()), "Signature", fields.signature());
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
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (header.getKey().toLowerCase(Locale.ROOT).equals(lowerCaseName)) {
        return List.of(header.getValue());
      }
    }
    return List.of();
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFraming;
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return more;
  }
}
