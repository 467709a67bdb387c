package dev.countersign.benchmarks;

import dev.countersign.signatures.base.RequestMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A request as a server's adapter presents it: header lines in the order received, searched by name
 * at each access.
 */
final class ReceivedRequest implements RequestMessage {
  private final String method;
  private final String targetUri;
  private final List<Map.Entry<String, String>> lines;
  private final BodyFraming bodyFraming;

  private ReceivedRequest(
      String method,
      String targetUri,
      List<Map.Entry<String, String>> lines,
      BodyFraming bodyFraming) {
    this.method = method;
    this.targetUri = targetUri;
    this.lines = lines;
    this.bodyFraming = bodyFraming;
  }

  /** Returns a request with the headers that every client sends, followed by these headers. */
  static ReceivedRequest of(Message message, int number, Map<String, String> headers) {
    List<Map.Entry<String, String>> lines = new ArrayList<>();
    lines.add(Map.entry("Host", "api.example.com"));
    lines.add(Map.entry("User-Agent", "partner/1.0"));
    lines.add(Map.entry("Accept", "application/json"));
    lines.addAll(headers.entrySet());
    return new ReceivedRequest(
        message.method(),
        message.targetUri(number),
        List.copyOf(lines),
        message.hasBody() ? BodyFraming.PRESENT : BodyFraming.NONE);
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
    List<String> values = new ArrayList<>(1);
    for (Map.Entry<String, String> line : lines) {
      if (line.getKey().equalsIgnoreCase(lowerCaseName)) {
        values.add(line.getValue());
      }
    }
    return values;
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFraming;
  }
}
