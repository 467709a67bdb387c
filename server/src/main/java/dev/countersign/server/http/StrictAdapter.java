package dev.countersign.server.http;

import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PlainText;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.RequestFacts;
import dev.countersign.server.access.ServletMessage;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Runs between the engine's parsers and its pipeline. Refuses requests that HTTP forbids but the
 * parsers accept, sends {@code OPTIONS *} through the pipeline, and gives an HTTP/2 request the
 * Host header and the body framing of an HTTP/1.1 request.
 *
 * <p>Design note: this is the first place after the parsers, and the last before the engine's own
 * adapter changes the request. Valves run too late: the engine answers {@code OPTIONS *} before
 * them and replaces a missing port with the default one.
 */
public final class StrictAdapter implements Adapter {
  private static final String HTTP_1_0 = "HTTP/1.0";

  private final Adapter engine;

  private StrictAdapter(Adapter engine) {
    this.engine = engine;
  }

  /** Installs an adapter in front of the one that the connector creates. */
  public static void addTo(Connector connector) {
    connector.addLifecycleListener(
        event -> {
          if (event.getType().equals(Lifecycle.AFTER_INIT_EVENT)) {
            ProtocolHandler protocol = connector.getProtocolHandler();
            protocol.setAdapter(new StrictAdapter(protocol.getAdapter()));
          }
        });
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    // A request that the parsers have refused may be only partly read.
    if (response.getStatus() < 400) {
      refusal(request).ifPresent(detail -> refuse(request, response, detail));
      ServletMessage.routeAsterisk(request);
    } else if (response.getStatus() == Reason.REQUEST_MALFORMED.status()) {
      refusedHost(request)
          .ifPresent(denial -> RequestFacts.createBeforePipeline(request).noteDenial(denial));
    }
    engine.service(request, response);
  }

  /**
   * RFC 9113 section 8.3.1: {@code :authority} replaces Host. If both are missing, or if they
   * differ, the engine has already reset the stream.
   */
  private static void copyAuthority(Request request) {
    String name = request.serverName().toString();
    int port = request.getServerPort();
    request.getMimeHeaders().setValue("host").setString(port < 0 ? name : name + ':' + port);
  }

  /**
   * RFC 9113 section 8.1: a body ends with its stream. Without a Content-Length, only the end of
   * the stream shows that there is no body.
   */
  private static BodyFraming framing(Request request) {
    long length = request.getContentLengthLong();
    if (request.getMimeHeaders().getValue("content-length") != null) {
      if (length < 0) {
        throw new IllegalArgumentException();
      }
      return length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT;
    }
    AtomicBoolean read = new AtomicBoolean();
    request.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
    return read.get() ? BodyFraming.NONE : BodyFraming.UNKNOWN;
  }

  /**
   * Explains the engine's refusal of the Host header; empty if the engine refused the request for
   * another reason. The log line shows the operator the value, which a proxy may have written.
   */
  private static Optional<Denial> refusedHost(Request request) {
    List<String> hosts = Collections.list(request.getMimeHeaders().values("host"));
    // The engine stopped within this value, for example at a control character.
    if (hosts.stream().anyMatch(Objects::isNull)) {
      return Optional.empty();
    }
    Optional<ReceivedHead> head = ReceivedHead.of(request);
    // RFC 9112 section 3.2: exactly one Host, equal to the authority of an absolute target.
    if (hosts.size() > 1) {
      return refused("there are several; send one", "occurs " + hosts.size() + " times");
    }
    if (hosts.isEmpty()) {
      return head.filter(ReceivedHead::isComplete)
          .flatMap(whole -> refused("there is none", "is missing"));
    }
    String host = hosts.getFirst();
    // The part before an @ may be a password.
    String has = "has " + PlainText.quoted(host.substring(host.lastIndexOf('@') + 1));
    return HostName.problem(host)
        .or(
            () ->
                head.flatMap(ReceivedHead::targetHost)
                    .filter(target -> !target.equals(host))
                    .map(target -> "it differs from the host of the request target"))
        .flatMap(problem -> refused(problem, has));
  }

  private static Optional<Denial> refused(String problem, String note) {
    return Optional.of(
        Denial.of(Reason.REQUEST_MALFORMED, "the Host header is refused: " + problem)
            .withNote("Host " + note));
  }

  private static Optional<String> refusal(Request request) {
    return Optional.ofNullable(
            request.protocol().equals(ServletMessage.HTTP_2)
                ? http2Refusal(request)
                : http1Refusal(request))
        .or(() -> unclosedBracketRefusal(request));
  }

  /**
   * RFC 3986 section 3.2.2: an IPv6 address is enclosed in brackets. The engine accepts some
   * addresses without the closing bracket, such as {@code [::1.2.3:0}.
   */
  private static Optional<String> unclosedBracketRefusal(Request request) {
    return Optional.ofNullable(request.getMimeHeaders().getHeader("host"))
        .filter(host -> host.startsWith("[") && host.indexOf(']') < 0)
        .flatMap(HostName::problem)
        .map(problem -> "the Host header is refused: " + problem);
  }

  private static @Nullable String http1Refusal(Request request) {
    Optional<ReceivedHead> head = ReceivedHead.of(request);
    if (request.getMimeHeaders().getValue("transfer-encoding") != null) {
      // RFC 9112 section 6.1: Transfer-Encoding in HTTP/1.0 makes the framing faulty.
      if (request.protocol().equals(HTTP_1_0)) {
        return "HTTP/1.0 does not have Transfer-Encoding; send Content-Length";
      }
      // RFC 9112 section 6.3: both fields together may be request smuggling. The engine drops one.
      if (head.isPresent() && head.get().hasField("content-length")) {
        return "send either Content-Length or Transfer-Encoding, not both";
      }
    }
    // RFC 9110 section 4.2.4: userinfo is an error. The engine ignores it.
    if (head.isPresent() && head.get().hasUserinfo()) {
      return "send the request target without userinfo, which an http URI must not have";
    }
    return null;
  }

  private static @Nullable String http2Refusal(Request request) {
    copyAuthority(request);
    try {
      ServletMessage.noteBodyFraming(request, framing(request));
    } catch (IllegalArgumentException e) {
      return "Content-Length must be a single number";
    }
    String scheme = request.scheme().toString();
    // Without TLS the engine accepts any scheme except https. Only CONNECT has none.
    if (scheme != null && !scheme.equals("http") && !scheme.equals("https")) {
      return ":scheme must be http or https";
    }
    return null;
  }

  /**
   * Refuses a request in the same way as the engine refuses one that it cannot parse: sets the
   * status and the error flag; the pipeline writes the answer.
   */
  private static void refuse(Request request, Response response, String detail) {
    RequestFacts.createBeforePipeline(request)
        .noteDenial(Denial.of(Reason.REQUEST_MALFORMED, detail));
    response.setStatus(Reason.REQUEST_MALFORMED.status());
    response.setError();
  }

  @Override
  public boolean prepare(Request request, Response response) throws Exception {
    return engine.prepare(request, response);
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent status)
      throws Exception {
    return engine.asyncDispatch(request, response, status);
  }

  @Override
  public void log(Request request, Response response, long time) {
    engine.log(request, response, time);
  }

  @Override
  public void checkRecycled(Request request, Response response) {
    engine.checkRecycled(request, response);
  }

  @Override
  public String getDomain() {
    return engine.getDomain();
  }
}
