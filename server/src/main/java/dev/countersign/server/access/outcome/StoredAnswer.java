package dev.countersign.server.access.outcome;

import java.util.Map;

/** The answer of a write, which is committed together with the claim of its request. */
public sealed interface StoredAnswer {
  /**
   * The answer to a request that was executed, small enough to store and send again.
   *
   * @param status the HTTP status code
   * @param headers its header fields, such as {@code Location}
   * @param body its JSON text
   */
  record Done(int status, Map<String, String> headers, String body) implements StoredAnswer {
    public Done {
      headers = Map.copyOf(headers);
    }
  }

  /**
   * A refusal that is committed with the claim of the request as it was signed, so that a recorded
   * copy cannot be executed later. It frees the Idempotency-Key: the client can send the request
   * with a new signature under the same key.
   */
  record Refused(Denial denial) implements StoredAnswer {}
}
