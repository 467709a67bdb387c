package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.base.RequestMessage;
import java.util.List;

/** A request whose first line has the method, a space and the target URI. */
record FuzzedRequest(FuzzedMessage message) implements RequestMessage {

  static FuzzedRequest parse(String text) {
    return new FuzzedRequest(FuzzedMessage.parse(text));
  }

  @Override
  public String method() {
    return message.firstLine().split(" ", 2)[0];
  }

  @Override
  public String targetUri() {
    int space = message.firstLine().indexOf(' ');
    return message.firstLine().substring(space + 1);
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return message.fieldLines(lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    return message.bodyFraming();
  }
}
