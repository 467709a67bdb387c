package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;
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

  private final @Nullable RequestObservation observation;

  /**
   * A log.
   *
   * @param observation what tells an observer of each request as well; null where there is none
   */
  RequestLog(@Nullable RequestObservation observation) {
    super(true);
    this.observation = observation;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    MDC.put(MDC_ID, identify(request, response));
    try {
      getNext().invoke(request, response);
    } finally {
      MDC.remove(MDC_ID);
    }
  }

  private static String identify(Request request, Response response) {
    // A label to find things by, not a secret: a fast random number will do.
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RequestFacts.of(request).noteId(id);
    response.setHeader("X-Request-Id", id);
    // A signed request has no Authorization header, so a shared cache would keep its answer.
    response.setHeader("Cache-Control", "no-store");
    return id;
  }

  /** Called by the engine for every request, also for those that it rejects itself. */
  @Override
  public void log(Request request, Response response, long nanos) {
    RequestFacts facts = RequestFacts.of(request);
    if (facts.id().isEmpty()) {
      // What the engine refuses ahead of the pipeline is logged before its answer is sent.
      identify(request, response);
    }
    LoggingEventBuilder line =
        log.atInfo()
            .addKeyValue("method", orDash(request.getMethod()))
            .addKeyValue("path", orDash(ServletMessage.rawPath(request)))
            .addKeyValue("status", response.getStatus())
            .addKeyValue("reason", facts.denial().map(d -> d.reason().word()).orElse("-"))
            .addKeyValue("check", facts.denial().map(Denial::check).map(Check::word).orElse("-"))
            .addKeyValue("clientId", facts.clientId().orElse("-"))
            .addKeyValue("standing", facts.standing().word())
            .addKeyValue("durationMicros", TimeUnit.NANOSECONDS.toMicros(nanos));
    // The id itself: this line comes after the request's thread has forgotten it.
    line.addKeyValue("requestId", facts.id().orElse("-")).log("request");
    if (observation != null) {
      observation.observe(request, response, Duration.ofNanos(nanos));
    }
  }

  private static String orDash(@Nullable String unread) {
    return unread == null ? "-" : unread;
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
