package dev.countersign.server.portal.requests;

import dev.countersign.server.requests.RequestPosition;
import dev.countersign.server.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One live view. Sends new rows every second, and checks every two seconds that the session is
 * still valid.
 */
final class LiveStream {
  private static final Duration ROUND = Duration.ofSeconds(1);
  // The session is checked once in this many rounds.
  private static final int ROUNDS_BETWEEN_LOOKS = 2;
  // After this many rounds without rows, a comment is sent to keep the connection open.
  private static final int SILENT_ROUNDS = 10;

  /**
   * The maximum number of rows per round. If there are more new requests than this, the stream
   * skips the oldest of them; otherwise the page would show old requests as new.
   */
  static final int BATCH = 1_000;

  private final EventStream events;
  private final LiveStreamLimiter.Place place;
  private final BooleanSupplier signedIn;
  private final Source source;

  LiveStream(
      EventStream events, LiveStreamLimiter.Place place, BooleanSupplier signedIn, Source source) {
    this.events = events;
    this.place = place;
    this.signedIn = signedIn;
    this.source = source;
  }

  /** The source of new rows. */
  @FunctionalInterface
  interface Source {
    /** Returns the newest requests after a position. */
    Batch after(RequestPosition position, int limit);
  }

  /**
   * The new rows of a round.
   *
   * @param html the rows, newest first; null if there are none
   * @param next the position to continue after
   * @param skipped how many older requests were left out
   */
  record Batch(@Nullable String html, RequestPosition next, long skipped) {}

  /** Runs until the session ends, the service stops or the browser disconnects. */
  void run(RequestPosition start) throws IOException {
    RequestPosition at = start;
    int sinceLook = ROUNDS_BETWEEN_LOOKS;
    int silent = 0;
    do {
      silent++;
      sinceLook++;
      try {
        if (sinceLook >= ROUNDS_BETWEEN_LOOKS) {
          if (!signedIn.getAsBoolean()) {
            events.send("end", "You are no longer signed in.");
            return;
          }
          sinceLook = 0;
        }
        Batch batch = source.after(at, BATCH);
        at = batch.next();
        if (batch.skipped() > 0) {
          events.send("passed", batch.skipped() + " requests were skipped");
          silent = 0;
        }
        if (batch.html() != null) {
          events.send(at, "requests", batch.html());
          silent = 0;
        }
      } catch (StoreUnavailableException failed) {
        // The database did not answer. This round sends no rows, and the next round tries again.
      }
      if (silent >= SILENT_ROUNDS) {
        events.beat();
        silent = 0;
      }
    } while (place.rest(ROUND));
  }
}
