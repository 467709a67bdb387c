package dev.countersign.server.access;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  public void invoke(Request request, Response response) throws IOException, ServletException {
    response.setHeader("Cache-Control", "no-store");
    super.invoke(request, response);
  }

  @Override
  protected void report(Request request, Response response, Throwable throwable) {
    if (response.getStatus() < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    if (throwable != null) {
      log.error("a defect ended the request", throwable);
    }
    try {
      problems.writeEngine(response.getStatus(), request, response);
      response.finishResponse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
