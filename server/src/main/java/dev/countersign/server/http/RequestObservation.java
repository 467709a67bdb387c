package dev.countersign.server.http;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.RequestFacts;
import dev.countersign.server.access.ServletMessage;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.RequestObserver;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.UriUtils;

/** Reports each completed request to an observer, with the facts that the checks recorded. */
final class RequestObservation {
  private static final Logger log = LoggerFactory.getLogger(RequestObservation.class);

  // Stands for an unknown value, for example if Tomcat could not read the request line.
  private static final String UNKNOWN = "-";
  // Maximum lengths of what is recorded, in characters.
  private static final int MAX_METHOD_LENGTH = 32;
  private static final int MAX_TEXT_LENGTH = 2_048;
  private static final int MAX_USER_AGENT_LENGTH = 200;
  private static final int MAX_CURSOR_LENGTH = 16;
  // The same as Tomcat's limit for all header lines of a request.
  private static final int MAX_SIGNATURE_BASE_LENGTH = 16 * 1024;

  private final RequestObserver observer;
  private final Clock clock;

  RequestObservation(RequestObserver observer, Clock clock) {
    this.observer = observer;
    this.clock = clock;
  }

  void observe(Request request, Response response, Duration duration) {
    if (isForPortal(request)
        || SignatureFilter.isProbe(request)
        || RequestFacts.of(request).isForOpenPath()) {
      return;
    }
    try {
      observer.completed(completedRequest(request, response, duration));
    } catch (RuntimeException defect) {
      log.error("cannot record a request", defect);
    }
  }

  /** Returns whether the request is for the portal, which is not part of the API. */
  private static boolean isForPortal(Request request) {
    // Null if the request was not mapped to a servlet.
    Wrapper servlet = request.getWrapper();
    return servlet != null && PortalServlet.NAME.equals(servlet.getName());
  }

  private CompletedRequest completedRequest(Request request, Response response, Duration duration) {
    RequestFacts facts = RequestFacts.of(request);
    Optional<Denial> denial = facts.denial();
    return new CompletedRequest(
        facts.id().orElse(UNKNOWN),
        clock.instant(),
        duration,
        cut(request.getMethod(), MAX_METHOD_LENGTH).orElse(UNKNOWN),
        target(request),
        response.getStatus(),
        denial.map(Denial::reason).orElse(null),
        denial.flatMap(RequestObservation::detail).orElse(null),
        facts.progress(),
        facts.clientId().orElse(null),
        facts.verifiedKey().map(RegisteredClient.Key::fingerprint).orElse(null),
        facts.trust(),
        facts
            .address()
            .map(InetAddress::getHostAddress)
            .orElseGet(() -> String.valueOf(request.getRemoteAddr())),
        cut(request.getHeader("User-Agent"), MAX_USER_AGENT_LENGTH).orElse(null),
        denial.map(RequestObservation::evidence).orElse(CompletedRequest.Evidence.NONE));
  }

  private static String target(Request request) {
    if (request.getRequestURI() == null) {
      return UNKNOWN;
    }
    String target = shortenCursors(ServletMessage.rawTarget(request));
    return cut(target.isEmpty() ? ServletMessage.rawPath(request) : target, MAX_TEXT_LENGTH)
        .orElse(UNKNOWN);
  }

  // A cursor contains values of a record, which must not be recorded. The first characters of a
  // cursor contain none of them.
  private static String shortenCursors(String target) {
    int query = target.indexOf('?');
    if (query < 0) {
      return target;
    }
    return target.substring(0, query + 1)
        + Arrays.stream(target.substring(query + 1).split("&", -1))
            .map(pair -> isCursor(pair) ? shortenCursor(pair) : pair)
            .collect(Collectors.joining("&"));
  }

  private static boolean isCursor(String pair) {
    String name = pair.substring(0, Math.max(0, pair.indexOf('=')));
    try {
      return UriUtils.decode(name, StandardCharsets.UTF_8).equals("after");
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static String shortenCursor(String pair) {
    int end = pair.indexOf('=') + 1 + MAX_CURSOR_LENGTH;
    return pair.length() <= end ? pair : pair.substring(0, end) + "...";
  }

  /**
   * Returns the detail to record, with the note for operators; empty for an invalid body, because
   * the detail would quote the body.
   */
  private static Optional<String> detail(Denial denial) {
    if (denial.reason() == Reason.BODY_INVALID) {
      return Optional.empty();
    }
    String note = denial.note() == null ? "" : "; " + denial.note();
    return cut(denial.detail() + note, MAX_TEXT_LENGTH);
  }

  private static CompletedRequest.Evidence evidence(Denial denial) {
    return switch (denial.reason()) {
      case COMPONENTS_WRONG ->
          new CompletedRequest.Evidence(
              member(denial, "expected", MAX_TEXT_LENGTH),
              member(denial, "received", MAX_TEXT_LENGTH),
              null);
      case SIGNATURE_MISMATCH ->
          new CompletedRequest.Evidence(
              null, null, member(denial, Denial.SIGNATURE_BASE, MAX_SIGNATURE_BASE_LENGTH));
      default -> CompletedRequest.Evidence.NONE;
    };
  }

  private static @Nullable String member(Denial denial, String name, int maxLength) {
    Object value = denial.members().get(name);
    return value == null ? null : cut(value.toString(), maxLength).orElse(null);
  }

  private static Optional<String> cut(@Nullable String text, int maxLength) {
    return Optional.ofNullable(text)
        .map(whole -> whole.length() <= maxLength ? whole : whole.substring(0, maxLength));
  }
}
