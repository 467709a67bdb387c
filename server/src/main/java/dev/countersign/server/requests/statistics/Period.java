package dev.countersign.server.requests.statistics;

/** The period of an overview, divided into 60 to 168 steps for a chart. */
public enum Period {
  // The length of a step in seconds, the number of steps, and the length in seconds of the
  // intervals in which each client's requests are counted.
  HOUR(60, 60, 600),
  DAY(600, 144, 10_800),
  WEEK(3_600, 168, 86_400);

  private final int span;
  private final int steps;
  private final int clientSpan;

  Period(int span, int steps, int clientSpan) {
    this.span = span;
    this.steps = steps;
    this.clientSpan = clientSpan;
  }

  /** Returns the length of a step in seconds: a minute, ten minutes or an hour. */
  int span() {
    return span;
  }

  int steps() {
    return steps;
  }

  /**
   * Returns the length in seconds of the intervals in which each client's requests are counted: ten
   * minutes, three hours or a day.
   */
  int clientSpan() {
    return clientSpan;
  }
}
