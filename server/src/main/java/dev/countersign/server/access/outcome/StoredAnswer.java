package dev.countersign.server.access.outcome;

import java.util.Map;

/**
 * The answer to an unsafe request, small enough to store and send again.
 *
 * @param status the HTTP status code
 * @param headers its header fields, such as {@code Location}
 * @param body its JSON text
 * @param isForNow whether it is a refusal that does not hold for long: the request was not
 *     executed, and may be made again, so the answer is not stored under its Idempotency-Key
 */
public record StoredAnswer(int status, Map<String, String> headers, String body, boolean isForNow) {

  /** Creates the answer to a request that was executed. */
  public StoredAnswer(int status, Map<String, String> headers, String body) {
    this(status, headers, body, false);
  }

  public StoredAnswer {
    headers = Map.copyOf(headers);
  }
}
