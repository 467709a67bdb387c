package dev.countersign.server.access;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the engine's own rejections (a broken request line, headers too large, an unknown transfer
 * coding) the form of all others.
 */
final class EngineRejections extends ErrorReportValve {
  private static final Logger log = LoggerFactory.getLogger(EngineRejections.class);

  private final ProblemWriter problems;

  EngineRejections(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  protected void report(Request request, Response response, Throwable throwable) {
    if (response.getStatus() < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    // Below 500 it is the caller's, and its message quotes the request, signature and query too.
    if (throwable != null && response.getStatus() == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      log.error("a defect ended the request", throwable);
    }
    try {
      Optional<Denial> denial = RequestFacts.of(request).denial();
      if (denial.isPresent()) {
        // A body that broke off: the engine took the answer away that had begun, so give it again.
        problems.write(denial.get(), request, response);
      } else {
        problems.writeEngine(response.getStatus(), request, response);
      }
      response.finishResponse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
