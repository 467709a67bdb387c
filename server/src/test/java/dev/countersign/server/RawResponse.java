package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A response as received.
 *
 * @param status 0 when the connection ended without an answer
 * @param headers by lower-case name; several lines of one name joined by a line feed
 */
public record RawResponse(int status, Map<String, String> headers, String body) {

  static RawResponse parse(String text) {
    if (text.isEmpty()) {
      return new RawResponse(0, Map.of(), "");
    }
    int end = text.indexOf("\r\n\r\n");
    String[] lines = text.substring(0, end).split("\r\n");
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.merge(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip(),
          (first, next) -> first + "\n" + next);
    }
    return new RawResponse(
        Integer.parseInt(lines[0].split(" ")[1]), headers, text.substring(end + 4));
  }

  public String header(String lowerCaseName) {
    return headers.getOrDefault(lowerCaseName, "");
  }

  public JsonNode json() {
    return JsonMapper.shared().readTree(body);
  }

  /** The reason in a problem document. */
  public String reason() {
    return json().path("reason").asString("");
  }

  /** Asserts a refusal with a problem document whose request id equals that of the header. */
  static void assertRefused(RawResponse response, int status, String reason) {
    assertThat(response.reason()).as(response.body()).isEqualTo(reason);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.json().path("requestId").asString())
        .isEqualTo(response.header("x-request-id"));
  }
}
