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
   * The client already has two other live keys, and nothing was changed.
   *
   * @param until when the first of them ends; null if none has an end
   */
  record Pending(@Nullable Instant until) implements RotationOutcome {}
}
