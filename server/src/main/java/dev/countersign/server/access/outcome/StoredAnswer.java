package dev.countersign.server.access.outcome;

import java.util.Map;

/**
 * The answer to an unsafe request, small enough to store and send again.
 *
 * @param status the HTTP status code
 * @param headers its header fields, such as {@code Location}
 * @param body its JSON text
 */
public record StoredAnswer(int status, Map<String, String> headers, String body) {

  public StoredAnswer {
    headers = Map.copyOf(headers);
  }
}
