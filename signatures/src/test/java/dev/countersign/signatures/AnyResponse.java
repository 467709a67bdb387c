package dev.countersign.signatures;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import java.util.List;
import java.util.Optional;

/** A response of arbitrary parts, however unusual. */
record AnyResponse(
    int status,
    FieldLines headers,
    FieldLines trailers,
    BodyFraming bodyFraming,
    Optional<RequestMessage> request)
    implements ResponseMessage, AnyMessage<AnyResponse> {

  static AnyResponse of(int status) {
    return new AnyResponse(
        status, FieldLines.NONE, FieldLines.NONE, BodyFraming.NONE, Optional.empty());
  }

  /** Creates a response to this request with status 200. */
  static AnyResponse to(RequestMessage request) {
    return of(200).answering(request);
  }

  AnyResponse answering(RequestMessage other) {
    return new AnyResponse(status, headers, trailers, bodyFraming, Optional.of(other));
  }

  AnyResponse withStatus(int other) {
    return new AnyResponse(other, headers, trailers, bodyFraming, request);
  }

  /** Returns this response with a body and the right digest. */
  AnyResponse withBody(String body) {
    return framed(BodyFraming.PRESENT).plus("Content-Digest", AnyRequest.digest(body));
  }

  AnyResponse framed(BodyFraming framing) {
    return new AnyResponse(status, headers, trailers, framing, request);
  }

  @Override
  public AnyResponse plus(String name, String value) {
    return with(headers.plus(name, value));
  }

  @Override
  public AnyResponse without(String name) {
    return with(headers.without(name));
  }

  AnyResponse plusTrailer(String name, String value) {
    return new AnyResponse(status, headers, trailers.plus(name, value), bodyFraming, request);
  }

  private AnyResponse with(FieldLines other) {
    return new AnyResponse(status, other, trailers, bodyFraming, request);
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
