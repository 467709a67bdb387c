package dev.countersign.cli.list;

import dev.countersign.cli.terminal.Output;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Shows the progress of a list on one line of standard error: percentage, items, pages, rate and
 * time left. Without a total, it shows items, pages and rate. The line is redrawn in place. It
 * appears only on a terminal, never in a file or a pipe.
 */
final class Progress {
  private static final Duration REDRAW_INTERVAL = Duration.ofMillis(200);
  private static final int BAR_WIDTH = 20;
  private static final String CLEAR = "\r\u001b[K";

  private final Output output;
  private final Clock clock;
  private final Instant start;
  private Instant lastDrawn = Instant.EPOCH;
  private boolean visible;

  Progress(Output output, Clock clock) {
    this.output = output;
    this.clock = clock;
    this.start = clock.instant();
  }

  /** Clears the line before something else is printed on the terminal. */
  void clear() {
    if (visible) {
      visible = false;
      output.err().print(CLEAR);
      output.err().flush();
    }
  }

  /** Shows the line and updates it at most five times per second. */
  void draw(Count items, Count pages) {
    if (!output.hasErrorTerminal()) {
      return;
    }
    Instant now = clock.instant();
    if (lastDrawn.plus(REDRAW_INTERVAL).isAfter(now)) {
      return;
    }
    lastDrawn = now;
    visible = true;
    output.err().print(CLEAR + line(items, pages, Duration.between(start, now)));
    output.err().flush();
  }

  static String line(Count items, Count pages, Duration elapsed) {
    double seconds = Math.max(elapsed.toMillis(), 1) / 1000.0;
    double rate = items.done() / seconds;
    String done = String.format(Locale.ROOT, "%s items  %s pages  %,.0f/s", items, pages, rate);
    return items.all().isEmpty()
        ? done
        : lineWithTotal(items.done(), items.all().getAsLong(), rate, done);
  }

  private static String lineWithTotal(long done, long all, double rate, String text) {
    long left = rate > 0 ? (long) Math.ceil((all - done) / rate) : 0;
    int percent = all == 0 ? 100 : (int) Math.min(100, 100 * done / all);
    int filled = BAR_WIDTH * percent / 100;
    return String.format(
        Locale.ROOT,
        "[%s%s] %d%%  %s  %s left",
        "#".repeat(filled),
        "-".repeat(BAR_WIDTH - filled),
        percent,
        text,
        time(Math.max(0, left)));
  }

  private static String time(long seconds) {
    return seconds < 60
        ? seconds + " s"
        : String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60);
  }

  /**
   * The number of items or pages done, and the total number.
   *
   * @param all empty if the list was not counted
   */
  record Count(long done, OptionalLong all) {
    @Override
    public String toString() {
      return all.isEmpty()
          ? String.format(Locale.ROOT, "%,d", done)
          : String.format(Locale.ROOT, "%,d of %,d", done, all.getAsLong());
    }
  }
}
