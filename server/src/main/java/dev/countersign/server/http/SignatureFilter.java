package dev.countersign.server.http;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.BodyMemoryLimiter;
import dev.countersign.server.access.Operation;
import dev.countersign.server.access.RequestAuthenticator;
import dev.countersign.server.access.RequestFacts;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.StoreUnavailableException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Requires a verified signature for every request, whatever its path. Exceptions are the health
 * probes, the {@link OpenPaths}, and the portal, which has its own filters.
 */
public final class SignatureFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(SignatureFilter.class);

  /** The raw paths of the health probes, so that no other spelling of a path matches. */
  private static final Set<String> PROBES =
      Set.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness");

  private final transient RequestAuthenticator authenticator;
  private final transient ProblemWriter problems;
  private final transient OpenPaths openPaths;
  private final transient List<Operation.Finder> operations;

  public SignatureFilter(
      RequestAuthenticator authenticator,
      ProblemWriter problems,
      OpenPaths openPaths,
      List<Operation.Finder> operations) {
    this.openPaths = openPaths;
    this.authenticator = authenticator;
    this.problems = problems;
    this.operations = List.copyOf(operations);
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (PortalServlet.isFor(request)) {
      // The portal's own filters require a sign-in.
      chain.doFilter(request, response);
      return;
    }
    try {
      if (isProbe(request) || checkOpenPath(request)) {
        chain.doFilter(new BodilessRequest(request), response);
        return;
      }
      authenticator.authenticate(request, () -> operation(request, response)).attachTo(request);
      // Spring's dispatcher runs the operation: see operations().
      chain.doFilter(request, response);
    } catch (ServletException | RuntimeException e) {
      refuse(denialOf(e), request, response);
    } finally {
      BodyMemoryLimiter.release(request);
    }
  }

  static boolean isProbe(HttpServletRequest request) {
    String path = request.getRequestURI();
    // Path and method are null if the engine could not read the request.
    return path != null && PROBES.contains(path) && isRead(request);
  }

  /** Returns whether the request is for an open path, and records it in the facts if so. */
  private boolean checkOpenPath(HttpServletRequest request) {
    String path = request.getRequestURI();
    boolean isForOpenPath = path != null && openPaths.paths().contains(path) && isRead(request);
    if (isForOpenPath) {
      RequestFacts.of(request).noteOpenPath();
    }
    return isForOpenPath;
  }

  private static boolean isRead(HttpServletRequest request) {
    return "GET".equals(request.getMethod()) || "HEAD".equals(request.getMethod());
  }

  /**
   * Returns the operation that a request asks for, and adds its header fields to the answer.
   *
   * @throws DeniedException {@link Reason#NOT_FOUND} or {@link Reason#METHOD_NOT_ALLOWED}
   */
  private Operation operation(HttpServletRequest request, HttpServletResponse response) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    Operation found =
        operations.stream()
            .flatMap(part -> part.find(request.getMethod(), path).stream())
            .findFirst()
            .orElseThrow(() -> Denial.nothingServed().asException());
    RequestFacts.of(request).noteHeaders(found.headers());
    found.headers().forEach(response::setHeader);
    return found;
  }

  private void refuse(Denial denial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    RequestFacts.of(request).noteDenial(denial);
    if (response.isCommitted()) {
      // The body was cut short and the engine has begun an answer. EngineRejections completes it.
      return;
    }
    response.resetBuffer();
    if (denial.reason().status() == HttpServletResponse.SC_UNAUTHORIZED) {
      // RFC 9110 section 11.6.1 requires WWW-Authenticate, RFC 9421 section 5 allows
      // Accept-Signature.
      response.setHeader("WWW-Authenticate", "Signature realm=\"countersign\"");
      response.setHeader("Accept-Signature", authenticator.acceptSignature(request));
    }
    problems.write(denial, request, response);
  }

  /**
   * Returns the route on which Spring's dispatcher runs the operation that this filter found.
   *
   * <p>Design note: only refusals may reach the dispatcher. If the cause of an exception is, for
   * example, {@code EOFException} or "broken pipe", the dispatcher assumes that the caller has
   * disconnected, and answers with an empty 200, even if it was the connection to the store that
   * ended.
   */
  public static RouterFunction<ServerResponse> operations() {
    return request ->
        SignedRequest.find(request.servletRequest()).map(signed -> ignored -> run(signed));
  }

  private static ServerResponse run(SignedRequest request) {
    try {
      return request.operation().run(request);
    } catch (RuntimeException failure) {
      throw denialOf(failure, request).asException();
    }
  }

  private static Denial denialOf(RuntimeException failure, SignedRequest request) {
    if (failure instanceof DeniedException denied) {
      return denied.denial();
    }
    try {
      return request.operation().explain(failure, request).orElseGet(() -> denialOf(failure));
    } catch (RuntimeException another) {
      // To explain a failure, the operation may query the store, which can fail as well.
      return denialOf(another);
    }
  }

  /** Returns the refusal for a failure that no operation explains. */
  private static Denial denialOf(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof DeniedException denied) {
        return denied.denial();
      }
      if (cause instanceof InvalidParameterException) {
        return Denial.of(Reason.REQUEST_MALFORMED, "a query parameter cannot be decoded");
      }
      if (cause instanceof StoreUnavailableException) {
        log.warn("the store did not answer: {}", cause.getMessage());
        return Denial.of(Reason.OVERLOADED, "the store did not answer; try again")
            .withHeader("Retry-After", "1");
      }
    }
    log.error("the request failed because of a defect", thrown);
    return Denial.of(
        Reason.INTERNAL_ERROR, "the service failed; report the requestId to the operator");
  }
}
