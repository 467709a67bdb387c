package dev.countersign.signatures;

import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A request made from its parts, ready to be signed: it knows its Date and its Content-Digest.
 *
 * <pre>{@code
 * SignableRequest request = SignableRequest.of("GET", uri, now);
 * Map<String, String> headers = request.signedBy(signer);
 * }</pre>
 */
public final class SignableRequest implements RequestMessage {
  private static final String CONTENT_DIGEST = "Content-Digest";

  private static final Set<String> MADE_HERE =
      Set.of("date", "content-digest", "signature-input", "signature");

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
   * @param targetUri the absolute URI exactly as it will be sent
   * @param created the signing time, which Date carries as well
   * @throws IllegalArgumentException when the URI has a fragment
   */
  public static SignableRequest of(String method, String targetUri, Instant created) {
    // RFC 9110 section 7.1: the target URI excludes the fragment, which is never sent.
    if (targetUri.indexOf('#') >= 0) {
      throw new IllegalArgumentException("a URI is sent without its fragment, cut it off at #");
    }
    return new SignableRequest(
        method,
        targetUri,
        created,
        BodyFraming.NONE,
        with(Map.of(), "Date", HttpDate.format(created)));
  }

  /** This request with this body in place of any; an empty one is no body. */
  public SignableRequest withBody(byte[] body, CryptoProvider crypto) {
    if (body.length == 0) {
      return withoutBody();
    }
    return new SignableRequest(
        method,
        targetUri,
        created,
        BodyFraming.PRESENT,
        with(headers, CONTENT_DIGEST, ContentDigest.of(body, crypto).serialize()));
  }

  private SignableRequest withoutBody() {
    Map<String, String> fewer = copy(headers);
    fewer.remove(CONTENT_DIGEST);
    return new SignableRequest(method, targetUri, created, BodyFraming.NONE, fewer);
  }

  /**
   * This request with a header field in place of any of that name in whatever case.
   *
   * @throws IllegalArgumentException for a field that is made here, such as Date, and for a value
   *     with a line break
   */
  public SignableRequest withHeader(String name, String value) {
    if (MADE_HERE.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(name + " is made when the request is signed");
    }
    if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(name + " must not have a line break in its value");
    }
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
    String value = headers.get(lowerCaseName);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFraming;
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    Map<String, String> more = copy(headers);
    more.put(name, value);
    return Collections.unmodifiableMap(more);
  }

  /** A copy in which a field's name is the same in any case (RFC 9110 section 5.1). */
  private static Map<String, String> copy(Map<String, String> headers) {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(headers);
    return copy;
  }
}
