package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import java.util.List;
import java.util.Optional;

/** A response whose body is the request that it answers. */
record FuzzedResponse(FuzzedMessage message) implements ResponseMessage {

  @Override
  public int status() {
    return Integer.parseInt(message.firstLine());
  }

  @Override
  public Optional<RequestMessage> request() {
    return message.bodyText().isEmpty()
        ? Optional.empty()
        : Optional.of(FuzzedRequest.parse(message.bodyText()));
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return message.fieldLines(lowerCaseName);
  }

  @Override
  public List<String> trailerLines(String lowerCaseName) {
    return message.fieldLines("trailer-" + lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    return message.bodyFraming();
  }
}
