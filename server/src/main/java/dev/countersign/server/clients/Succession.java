package dev.countersign.server.clients;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a client's wish to have another key. */
public sealed interface Succession {

  /**
   * The key is live.
   *
   * @param key the key that was asked for
   * @param previous the other live key, with its end; null where there is none
   * @param isNew false where the key had been live before, as after an answer that was lost
   */
  record Live(ClientKey key, @Nullable ClientKey previous, boolean isNew) implements Succession {}

  /**
   * The client has two other live keys, and nothing was changed.
   *
   * @param until when the first of them ends; null where none has an end
   */
  record Pending(@Nullable Instant until) implements Succession {}
}
