package dev.countersign.server.http;

import dev.countersign.protocol.Check;
import dev.countersign.server.access.RequestFacts;
import dev.countersign.server.access.ServletMessage;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.TrustLevel;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Gives every request an id, which appears in its answer and in its log lines, and logs one line
 * when the request completes.
 *
 * <p>The line of a request without a verified signature has at most 1 KB. No line contains a query,
 * a body, a signature or a key.
 */
final class RequestLog extends ValveBase implements AccessLog {
  private static final String MDC_ID = "requestId";

  // The maximum length of the method and of the path of an unverified request, in characters, so
  // that its line has less than 1 KB.
  private static final int MAX_UNVERIFIED_LENGTH = 256;

  private final AtomicInteger inFlight = new AtomicInteger();
  private final RequestLines lines;
  private final @Nullable RequestObservation observation;

  /**
   * Creates a log.
   *
   * @param lines writes the lines
   * @param observation notifies an observer of each request; null if there is no observer
   */
  RequestLog(RequestLines lines, @Nullable RequestObservation observation) {
    super(true);
    this.lines = lines;
    this.observation = observation;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    MDC.put(MDC_ID, identify(request, response));
    inFlight.incrementAndGet();
    try {
      getNext().invoke(request, response);
    } finally {
      inFlight.decrementAndGet();
      MDC.remove(MDC_ID);
    }
  }

  /** Returns how many requests have begun and not ended. */
  int inFlight() {
    return inFlight.get();
  }

  private static String identify(Request request, Response response) {
    // The id is a label, not a secret: a fast random number is enough.
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RequestFacts.of(request).noteId(id);
    response.setHeader("X-Request-Id", id);
    // Without this header, a shared cache could store the answer, because a signed request has no
    // Authorization header.
    response.setHeader("Cache-Control", "no-store");
    return id;
  }

  /** Logs a request whose answer was sent, before Tomcat calls {@link #log}. */
  void logAnswered(Request request, Response response) {
    log(request, response, System.nanoTime() - request.getCoyoteRequest().getStartTimeNanos());
  }

  /**
   * Called by Tomcat for every request, including requests that Tomcat itself rejects. Does nothing
   * if the request was logged before.
   */
  @Override
  public void log(Request request, Response response, long nanos) {
    RequestFacts facts = RequestFacts.of(request);
    if (facts.isLogged()) {
      return;
    }
    facts.noteLogged();
    if (facts.id().isEmpty()) {
      // Tomcat rejected the request before the pipeline ran, so the request has no id yet. The
      // answer is sent later and includes the new id.
      identify(request, response);
    }
    boolean isVerified = facts.trust() == TrustLevel.VERIFIED;
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("method", text(request.getMethod(), isVerified));
    line.put("path", text(ServletMessage.rawPath(request), isVerified));
    line.put("status", response.getStatus());
    line.put("reason", facts.denial().map(d -> d.reason().word()).orElse("-"));
    line.put("check", facts.denial().map(Denial::check).map(Check::word).orElse("-"));
    facts.denial().map(Denial::note).ifPresent(note -> line.put("note", inQuotes(note)));
    line.put("clientId", facts.clientId().orElse("-"));
    line.put("standing", facts.trust().word());
    line.put("durationMicros", TimeUnit.NANOSECONDS.toMicros(nanos));
    // Adds the id explicitly, because the MDC no longer has it.
    line.put("requestId", facts.id().orElse("-"));
    lines.write(line, isVerified);
    if (observation != null) {
      observation.observe(request, response, Duration.ofNanos(nanos));
    }
  }

  /** Returns a note, which may quote a caller, so that it cannot look like further fields. */
  private static String inQuotes(String note) {
    return '"' + note.replace('"', '\'') + '"';
  }

  /** Returns a text for the line; of an unverified request, only its beginning. */
  private static String text(@Nullable String read, boolean isWhole) {
    if (read == null) {
      return "-";
    }
    return isWhole || read.length() <= MAX_UNVERIFIED_LENGTH
        ? read
        : read.substring(0, MAX_UNVERIFIED_LENGTH) + "\u2026";
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
