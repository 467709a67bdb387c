package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;

/** A request of arbitrary parts, however unusual. */
record AnyRequest(
    String method,
    String targetUri,
    FieldLines headers,
    FieldLines trailers,
    BodyFraming bodyFraming)
    implements RequestMessage, AnyMessage<AnyRequest> {

  /** A valid list request. */
  static final AnyRequest GET = of("GET", "https://api.example.com/wallets?page=0");

  static AnyRequest of(String method, String targetUri) {
    return new AnyRequest(method, targetUri, FieldLines.NONE, FieldLines.NONE, BodyFraming.NONE);
  }

  /** A POST with a body in UTF-8 and the right digest. */
  static AnyRequest post(String body) {
    return of("POST", "https://api.example.com/wallets")
        .framed(BodyFraming.PRESENT)
        .plus("Content-Digest", digest(body));
  }

  static String digest(String body) {
    return ContentDigest.of(body.getBytes(UTF_8), CryptoProvider.jdk()).serialize();
  }

  @Override
  public AnyRequest plus(String name, String value) {
    return with(headers.plus(name, value));
  }

  @Override
  public AnyRequest without(String name) {
    return with(headers.without(name));
  }

  AnyRequest plusTrailer(String name, String value) {
    return new AnyRequest(method, targetUri, headers, trailers.plus(name, value), bodyFraming);
  }

  AnyRequest framed(BodyFraming framing) {
    return new AnyRequest(method, targetUri, headers, trailers, framing);
  }

  AnyRequest to(String otherUri) {
    return new AnyRequest(method, otherUri, headers, trailers, bodyFraming);
  }

  private AnyRequest with(FieldLines other) {
    return new AnyRequest(method, targetUri, other, trailers, bodyFraming);
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return headers.named(lowerCaseName);
  }

  @Override
  public List<String> trailerLines(String lowerCaseName) {
    return trailers.named(lowerCaseName);
  }
}
