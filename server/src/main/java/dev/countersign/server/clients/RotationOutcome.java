package dev.countersign.server.clients;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outcome of a client's request to rotate its key. */
public sealed interface RotationOutcome {

  /**
   * The key is live.
   *
   * @param key the requested key
   * @param previous the other live key, with its end; null if there is none
   * @param isNew false if the key was already live, for example because an earlier answer was lost
   */
  record Live(ClientKey key, @Nullable ClientKey previous, boolean isNew)
      implements RotationOutcome {}

  /**
   * Nothing was changed, because the client already has two other live keys.
   *
   * @param until when the first of these two keys ends; null if neither key has an end
   */
  record Pending(@Nullable Instant until) implements RotationOutcome {}

  /**
   * Nothing was changed, because the client rotated its key less than the minimum interval ago.
   *
   * @param last when the client last rotated its key
   * @param until when the client may rotate its key again
   */
  record TooSoon(Instant last, Instant until) implements RotationOutcome {}
}
