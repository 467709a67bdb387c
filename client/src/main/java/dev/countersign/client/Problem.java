package dev.countersign.client;

import dev.countersign.protocol.PlainText;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The explanation of a refusal: a problem document (RFC 9457) with the members of the partner
 * interface.
 *
 * <p>{@link #read} makes all texts safe for a log line; only {@code document} stays unchanged.
 *
 * @param status the status of the answer
 * @param title the kind of problem; empty if absent
 * @param detail what happened this time and how to fix it; empty if absent
 * @param reason a stable word that programs can rely on, {@code http_<status>} if the document has
 *     no reason
 * @param check the check that refused the request, such as {@code signature}; empty if the document
 *     does not name a check
 * @param requestId the id to quote to the operator of the service
 * @param signatureBase the signature base as the service built it, with line feeds between lines;
 *     services send it only if a signature did not verify
 * @param expected what the service would have accepted; empty if absent
 * @param received what the service received instead; empty if absent
 * @param document the whole document
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457#section-3">RFC 9457 3</a>
 */
public record Problem(
    int status,
    String title,
    String detail,
    String reason,
    Optional<String> check,
    Optional<String> requestId,
    Optional<String> signatureBase,
    List<String> expected,
    List<String> received,
    JsonNode document) {
  private static final JsonMapper JSON = Json.exactMapper();

  /** Takes copies of the lists. */
  public Problem {
    expected = List.copyOf(expected);
    received = List.copyOf(received);
  }

  /**
   * Reads the problem document of a response; empty if the media type is not {@code
   * application/problem+json} or the body is not a JSON object.
   */
  public static Optional<Problem> read(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("content-type").orElse("");
    // RFC 9110 section 8.3.1: the media type is case-insensitive, and parameters may follow.
    if (!type.toLowerCase(Locale.ROOT).startsWith("application/problem+json")) {
      return Optional.empty();
    }
    try {
      JsonNode document = JSON.readTree(response.body());
      return document.isObject()
          ? Optional.of(of(response.statusCode(), document, requestId(response)))
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> requestId(HttpResponse<byte[]> response) {
    return response.headers().firstValue("x-request-id").map(PlainText::line);
  }

  private static Problem of(int status, JsonNode document, Optional<String> headerId) {
    return new Problem(
        status,
        text(document, "title").map(PlainText::line).orElse(""),
        text(document, "detail").map(PlainText::line).orElse(""),
        text(document, "reason").map(PlainText::line).orElse("http_" + status),
        text(document, "check").map(PlainText::line),
        text(document, "requestId").map(PlainText::line).or(() -> headerId),
        text(document, "signatureBase").map(PlainText::lines),
        texts(document.path("expected")),
        texts(document.path("received")),
        document);
  }

  /** The text of a member; a member that is not text is ignored (RFC 9457 section 3.1). */
  private static Optional<String> text(JsonNode document, String member) {
    JsonNode value = document.path(member);
    return value.isString() && !value.stringValue().isBlank()
        ? Optional.of(value.stringValue())
        : Optional.empty();
  }

  /** A single text or a list of texts. */
  private static List<String> texts(JsonNode value) {
    if (value.isString()) {
      return List.of(PlainText.line(value.stringValue()));
    }
    return value
        .valueStream()
        .filter(JsonNode::isString)
        .map(text -> PlainText.line(text.stringValue()))
        .toList();
  }
}
