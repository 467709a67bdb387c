package dev.countersign.server.http;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.RequestFacts;
import dev.countersign.server.access.outcome.Denial;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** Writes every refusal as a problem document (RFC 9457). */
public final class ProblemWriter {
  private static final String TYPES = "https://countersign.dev/problems/";

  private final JsonMapper json = JsonMapper.shared();
  private final boolean showSignatureBase;

  /**
   * Creates a writer.
   *
   * @param showSignatureBase whether callers see the signature base if their signature does not
   *     verify
   */
  public ProblemWriter(boolean showSignatureBase) {
    this.showSignatureBase = showSignatureBase;
  }

  /** Writes a denial. */
  void write(Denial denial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    denial.headers().forEach(response::setHeader);
    response.setStatus(denial.reason().status());
    write(denial.reason().status(), denial, request, response);
  }

  /** Notes a denial for the log line of a request whose answer the portal writes. */
  public static void note(HttpServletRequest request, Denial denial) {
    RequestFacts.of(request).noteDenial(denial);
  }

  /** Returns the detail of a denial that was noted before the engine's pipeline ran. */
  public static Optional<String> detailNotedBeforePipeline(HttpServletRequest request) {
    return RequestFacts.of(request).denial().map(Denial::detail);
  }

  /** Writes the noted denial or, if there is none, a denial for the status of the engine. */
  public void writeRejection(int status, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Denial> noted = RequestFacts.of(request).denial();
    if (noted.isPresent()) {
      // StrictAdapter refused the request, or the body broke off and the engine discarded the
      // answer, so that it is written again.
      write(noted.get(), request, response);
    } else {
      writeEngine(status, request, response);
    }
  }

  /** Writes a rejection by the engine, with the status that it chose. */
  private void writeEngine(int status, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Denial denial =
        switch (status) {
          case 404 -> Denial.nothingServed();
          case 405 -> Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL does not support the method");
          case 408 -> Denial.of(Reason.BODY_TIMEOUT, "the body did not arrive in time");
          case 413 -> Denial.of(Reason.BODY_TOO_LARGE, "the body is too large");
          case 415 -> Denial.of(Reason.MEDIA_TYPE_UNSUPPORTED, "the Content-Type is not supported");
          case 500 -> Denial.of(Reason.INTERNAL_ERROR, "the service failed");
          // Tomcat answers so while its web application starts or stops.
          case 503 ->
              Denial.of(
                  Reason.OVERLOADED,
                  "the service does not accept requests at the moment; try again");
          default ->
              Denial.of(
                  Reason.REQUEST_MALFORMED,
                  "the request line, a header or the framing is not valid HTTP or is too long");
        };
    write(status, denial, request, response);
  }

  private void write(
      int status, Denial denial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    RequestFacts facts = RequestFacts.of(request);
    facts.noteDenial(denial);
    String requestId = facts.id().orElse("");
    // Sets these headers again, because the engine drops all headers after an error.
    response.setHeader("X-Request-Id", requestId);
    facts.headers().forEach(response::setHeader);
    response.setHeader("Cache-Control", "no-store");
    byte[] body = json.writeValueAsBytes(document(status, denial, requestId));
    response.setContentType("application/problem+json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private Map<String, Object> document(int status, Denial denial, String requestId) {
    Reason reason = denial.reason();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("type", TYPES + reason.word());
    document.put("title", reason.title());
    document.put("status", status);
    document.put("detail", denial.detail());
    document.put("reason", reason.word());
    if (denial.check() != null) {
      document.put("check", denial.check().word());
    }
    document.put("requestId", requestId);
    document.putAll(new TreeMap<>(denial.members()));
    if (!showSignatureBase) {
      document.remove(Denial.SIGNATURE_BASE);
    }
    return document;
  }
}
