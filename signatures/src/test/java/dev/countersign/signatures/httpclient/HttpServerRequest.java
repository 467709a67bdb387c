package dev.countersign.signatures.httpclient;

import com.sun.net.httpserver.HttpExchange;
import dev.countersign.signatures.base.RequestMessage;
import java.util.List;

/** A minimal adapter for the JDK's own server. */
record HttpServerRequest(HttpExchange exchange) implements RequestMessage {

  @Override
  public String method() {
    return exchange.getRequestMethod();
  }

  @Override
  public String requestTarget() {
    return exchange.getRequestURI().toString();
  }

  @Override
  public String targetUri() {
    return exchange.getRequestURI().isAbsolute()
        ? requestTarget()
        : "http://" + fieldLines("host").get(0) + requestTarget();
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return exchange.getRequestHeaders().getOrDefault(lowerCaseName, List.of());
  }

  @Override
  public BodyFraming bodyFraming() {
    if (!fieldLines("transfer-encoding").isEmpty()) {
      return BodyFraming.UNKNOWN;
    }
    boolean none = fieldLines("content-length").stream().allMatch("0"::equals);
    return none ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
