package dev.countersign.server.access;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Gives every request an id, on its answer and on every log line, and writes one line when it has
 * ended.
 *
 * <p>The line holds no query, no body, no signature and no key.
 */
final class RequestLog extends ValveBase implements AccessLog {
  private static final Logger log = LoggerFactory.getLogger("countersign.requests");
  private static final String MDC_ID = "requestId";

  RequestLog() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    // A label to find things by, not a secret: a fast random number will do.
    String id = String.format("%016x", ThreadLocalRandom.current().nextLong());
    RequestFacts.noteId(request, id);
    response.setHeader("X-Request-Id", id);
    MDC.put(MDC_ID, id);
    try {
      getNext().invoke(request, response);
    } finally {
      MDC.remove(MDC_ID);
    }
  }

  /** Called by the engine for every request, also for those that it rejects itself. */
  @Override
  public void log(Request request, Response response, long nanos) {
    LoggingEventBuilder line =
        log.atInfo()
            .addKeyValue("method", request.getMethod())
            .addKeyValue("path", request.getRequestURI())
            .addKeyValue("status", response.getStatus())
            .addKeyValue("reason", RequestFacts.reason(request).orElse("-"))
            .addKeyValue("clientId", RequestFacts.client(request).orElse("-"))
            .addKeyValue("durationMicros", TimeUnit.NANOSECONDS.toMicros(nanos));
    // The id itself: this line comes after the request's thread has forgotten it.
    line.addKeyValue("requestId", RequestFacts.id(request).orElse("-")).log("request");
  }

  @Override
  public void setRequestAttributesEnabled(boolean enabled) {
    // The peer comes from RequestAuthenticator, not from attributes of other valves.
  }

  @Override
  public boolean getRequestAttributesEnabled() {
    return false;
  }
}
