package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.server.access.outcome.Denial;
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
 * Gives every request an id, which appears in its answer and in its log lines, and logs one line
 * when the request completes.
 *
 * <p>The line contains no query, no body, no signature and no key.
 */
public final class RequestLog extends ValveBase implements AccessLog {
  private static final Logger log = LoggerFactory.getLogger("countersign.requests");
  private static final String MDC_ID = "requestId";

  private final @Nullable RequestObservation observation;

  /**
   * Creates a log.
   *
   * @param observation notifies an observer of each request; null if there is no observer
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
    // The id is a label, not a secret: a fast random number is enough.
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RequestAttributes.of(request).noteId(id);
    response.setHeader("X-Request-Id", id);
    // Without this header, a shared cache could store the answer, because a signed request has no
    // Authorization header.
    response.setHeader("Cache-Control", "no-store");
    return id;
  }

  /** Called by Tomcat for every request, including requests that Tomcat itself rejects. */
  @Override
  public void log(Request request, Response response, long nanos) {
    RequestAttributes facts = RequestAttributes.of(request);
    if (facts.id().isEmpty()) {
      // Tomcat rejected the request before the pipeline ran, so the request has no id yet. The
      // answer is sent later and includes the new id.
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
    // Adds the id explicitly, because the MDC no longer has it.
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
