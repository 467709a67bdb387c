package dev.countersign.client;

import com.sun.net.httpserver.HttpExchange;
import dev.countersign.signatures.base.RequestMessage;
import java.util.List;

/**
 * A request as the JDK's own server received it.
 *
 * @param body read to its end
 */
record ServedRequest(HttpExchange exchange, byte[] body) implements RequestMessage {

  String path() {
    return exchange.getRequestURI().getRawPath();
  }

  String query() {
    return String.valueOf(exchange.getRequestURI().getRawQuery());
  }

  /** The only line of a field, or {@code absent}. */
  String header(String lowerCaseName) {
    List<String> lines = fieldLines(lowerCaseName);
    return lines.isEmpty() ? "absent" : String.join(", ", lines);
  }

  @Override
  public String method() {
    return exchange.getRequestMethod();
  }

  @Override
  public String targetUri() {
    return "http://" + header("host") + exchange.getRequestURI();
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return exchange.getRequestHeaders().getOrDefault(lowerCaseName, List.of());
  }

  @Override
  public BodyFraming bodyFraming() {
    return body.length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
