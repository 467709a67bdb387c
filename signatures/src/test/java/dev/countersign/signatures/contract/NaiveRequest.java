package dev.countersign.signatures.contract;

import dev.countersign.signatures.base.RequestMessage;
import java.util.List;

/** A request parsed from its bytes exactly as in the RFC, for comparison with an adapter. */
public record NaiveRequest(String scheme, WireMessage wire) implements RequestMessage {

  @Override
  public String method() {
    return wire.startLine().split(" ")[0];
  }

  @Override
  public String requestTarget() {
    return wire.startLine().split(" ")[1];
  }

  /** RFC 9112 section 3.3: an absolute target is the URI itself. */
  @Override
  public String targetUri() {
    String target = requestTarget();
    if (!target.startsWith("/") && !target.equals("*")) {
      return target;
    }
    return scheme + "://" + wire.values("host").get(0) + (target.equals("*") ? "" : target);
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return wire.values(lowerCaseName);
  }

  @Override
  public List<String> trailerLines(String lowerCaseName) {
    return wire.trailers().stream()
        .filter(field -> field.isNamed(lowerCaseName))
        .map(WireMessage.Field::plainValue)
        .toList();
  }

  @Override
  public BodyFraming bodyFraming() {
    return wire.framing();
  }
}
