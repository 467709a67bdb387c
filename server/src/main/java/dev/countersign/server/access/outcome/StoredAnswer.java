package dev.countersign.server.access.outcome;

import java.util.Map;

/** The end of an unsafe request whose transaction is committed. */
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
   * The refusal of a request that was not executed, and that nobody can execute later by sending it
   * again: it was accepted, as a request that was executed. It is not stored under an
   * Idempotency-Key, so that the client can sign the request anew and send it with the same key.
   */
  record Refused(Denial denial) implements StoredAnswer {}
}
