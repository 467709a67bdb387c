package dev.countersign.server.portal.requests;

import dev.countersign.server.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One live view, round by round: what is new, and whether its operator may still see it. */
final class LiveStream {
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final int ROUNDS_BETWEEN_LOOKS = 2;
  private static final int SILENT_ROUNDS = 10;

  /** How many rows are sent in a round, and how far behind a stream may stay. */
  static final int BATCH = 1_000;

  private final EventStream events;
  private final LiveStreams.Place place;
  private final BooleanSupplier signedIn;
  private final Source source;

  LiveStream(EventStream events, LiveStreams.Place place, BooleanSupplier signedIn, Source source) {
    this.events = events;
    this.place = place;
    this.signedIn = signedIn;
    this.source = source;
  }

  /** Where new rows come from. */
  interface Source {
    Batch after(long id, int limit);

    /** The id of the newest request. */
    long latest();
  }

  /**
   * What is new.
   *
   * @param html newest first; null where there is nothing
   * @param next the id to go on after
   */
  record Batch(@Nullable String html, long next) {}

  /** Runs until the sign-in or the service ends, or nobody reads any more. */
  void run(long start) throws IOException {
    long at = start;
    int sinceLook = ROUNDS_BETWEEN_LOOKS;
    int silent = 0;
    do {
      silent++;
      sinceLook++;
      try {
        if (sinceLook >= ROUNDS_BETWEEN_LOOKS) {
          if (!signedIn.getAsBoolean()) {
            events.send("end", "You are not signed in any more.");
            return;
          }
          sinceLook = 0;
        }
        Batch batch = source.after(at, BATCH);
        at = batch.next();
        if (batch.html() != null) {
          events.send(at, "requests", batch.html());
          silent = 0;
        }
        at = keepUp(at);
      } catch (StoreUnavailableException failed) {
        // Where nobody can say whether the sign-in is good, nothing is shown; the next round asks.
      }
      if (silent >= SILENT_ROUNDS) {
        events.beat();
        silent = 0;
      }
    } while (place.rest(ROUND));
  }

  /** A stream that stayed behind would show ever older requests as if they were new. */
  private long keepUp(long at) throws IOException {
    long next = source.latest() - BATCH;
    if (next <= at) {
      return at;
    }
    events.send(next, "passed", (next - at) + " requests were passed over");
    return next;
  }
}
