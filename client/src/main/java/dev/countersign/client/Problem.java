package dev.countersign.client;

import dev.countersign.client.text.PlainText;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a service says of a refusal: a problem document (RFC 9457) with the members of the partner
 * interface.
 *
 * <p>{@link #read} makes its texts fit for a line of a log; {@code document} is as it came.
 *
 * @param status of the answer
 * @param title what kind of problem it is, empty where the document does not say
 * @param detail what happened this time and what mends it, empty where the document does not say
 * @param reason one word that programs can rely on, {@code http_<status>} where the document has
 *     none
 * @param check the check that refused the request, such as {@code signature}; nothing where
 *     something else did, or where the service does not say
 * @param requestId to quote to the operator of the service
 * @param signatureBase as the service built it, for a signature that did not verify; lines are
 *     separated by line feeds
 * @param expected what the service would have taken, where the two can be compared
 * @param received what it got in its place
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
   * The problem document of a response, or nothing when it has none: another media type, or no JSON
   * object.
   */
  public static Optional<Problem> read(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("content-type").orElse("");
    // RFC 9110 section 8.3.1: the type's case means nothing, parameters may follow.
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

  private static Problem of(int status, JsonNode document, Optional<String> headersId) {
    return new Problem(
        status,
        text(document, "title").map(PlainText::line).orElse(""),
        text(document, "detail").map(PlainText::line).orElse(""),
        text(document, "reason").map(PlainText::line).orElse("http_" + status),
        text(document, "check").map(PlainText::line),
        text(document, "requestId").map(PlainText::line).or(() -> headersId),
        text(document, "signatureBase").map(PlainText::lines),
        texts(document.path("expected")),
        texts(document.path("received")),
        document);
  }

  /** A member that is text; RFC 9457 section 3.1: one of another type is ignored. */
  private static Optional<String> text(JsonNode document, String member) {
    JsonNode value = document.path(member);
    return value.isString() && !value.stringValue().isBlank()
        ? Optional.of(value.stringValue())
        : Optional.empty();
  }

  /** The one text or the list of them. */
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
