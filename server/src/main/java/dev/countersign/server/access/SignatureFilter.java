package dev.countersign.server.access;

import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.signatures.SignatureBase;
import dev.countersign.signatures.VerificationException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before everything that the service answers: a request without a verified signature ends
 * here, whatever its path. The health probes alone are open.
 */
final class SignatureFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(SignatureFilter.class);

  /** Compared with the raw path, so that no spelling of another path can pass for one of these. */
  private static final Set<String> OPEN =
      Set.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness");

  private final transient RequestAuthenticator authenticator;
  private final transient ProblemWriter problems;
  private final boolean showSignatureBase;

  SignatureFilter(
      RequestAuthenticator authenticator, ProblemWriter problems, boolean showSignatureBase) {
    this.authenticator = authenticator;
    this.problems = problems;
    this.showSignatureBase = showSignatureBase;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException {
    // A signed request has no Authorization header, so a shared cache would keep its answer.
    response.setHeader("Cache-Control", "no-store");
    try {
      if (!OPEN.contains(request.getRequestURI())) {
        authenticator.authenticate(request).attachTo(request);
      }
      chain.doFilter(request, response);
    } catch (ServletException | RuntimeException e) {
      refuse(denialOf(e), request, response);
    }
  }

  private void refuse(Denial denial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.resetBuffer();
    if (denial.reason().status() == HttpServletResponse.SC_UNAUTHORIZED) {
      // RFC 9110 section 11.6.1 asks for the first, RFC 9421 section 5 offers the second.
      response.setHeader("WWW-Authenticate", "Signature realm=\"countersign\"");
      response.setHeader("Accept-Signature", authenticator.acceptSignature(request));
    }
    problems.write(denial, request, response);
  }

  private Denial denialOf(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof DeniedException denied) {
        return denied.denial();
      }
      if (cause instanceof VerificationException refused) {
        return denialOf(refused);
      }
      if (cause instanceof StoreUnavailableException) {
        log.warn("the store did not answer: {}", cause.getMessage());
        return Denial.of(Reason.OVERLOADED, "the store did not answer; try again")
            .withHeader("Retry-After", "1");
      }
    }
    log.error("a defect ended the request", thrown);
    return Denial.of(
        Reason.INTERNAL_ERROR, "the service failed; quote the requestId to its operator");
  }

  private Denial denialOf(VerificationException refused) {
    Denial denial = Denial.of(Reason.of(refused.failure()), String.valueOf(refused.getMessage()));
    if (refused.comparison().isPresent()) {
      VerificationException.Comparison comparison = refused.comparison().get();
      return denial
          .withMember("expected", comparison.expected())
          .withMember("received", comparison.received());
    }
    if (showSignatureBase && refused.signatureBase().isPresent()) {
      SignatureBase base = refused.signatureBase().get();
      return denial.withMember("signatureBase", base.text());
    }
    return denial;
  }
}
