package dev.countersign.server.requests;

/** What an overview looks back on, in steps that make a chart of some sixty to some 170 points. */
public enum Period {
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

  /** How long a step is in seconds: a minute, ten minutes, an hour. */
  int span() {
    return span;
  }

  int steps() {
    return steps;
  }

  /** The spans in which clients are counted: ten minutes, three hours, a day. */
  int clientSpan() {
    return clientSpan;
  }
}
