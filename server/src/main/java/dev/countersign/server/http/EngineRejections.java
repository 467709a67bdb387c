package dev.countersign.server.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Tomcat's own rejections in the same form as all other refusals. Tomcat rejects, for
 * example, a broken request line, headers that are too large, and an unknown transfer coding.
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
    // Only status 500 means a defect. The messages of other errors are not logged, because they
    // quote the caller's request with its signature and query.
    if (throwable != null && response.getStatus() == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      log.error("the request failed because of a defect", throwable);
    }
    try {
      problems.writeRejection(response.getStatus(), request, response);
      response.finishResponse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
