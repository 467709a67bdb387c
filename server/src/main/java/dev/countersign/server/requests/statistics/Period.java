package dev.countersign.server.requests.statistics;

/** The period of an overview, divided into 60 to 168 steps for a chart. */
public enum Period {
  // The length of a step in seconds, the number of steps, and the length in seconds of the
  // intervals in which each client's requests are counted.
  HOUR(60, 60, 600),
  DAY(600, 144, 10_800),
  WEEK(3_600, 168, 86_400);

  private final int stepSeconds;
  private final int steps;
  private final int clientIntervalSeconds;

  Period(int stepSeconds, int steps, int clientIntervalSeconds) {
    this.stepSeconds = stepSeconds;
    this.steps = steps;
    this.clientIntervalSeconds = clientIntervalSeconds;
  }

  /** Returns the length of a step in seconds: a minute, ten minutes or an hour. */
  int stepSeconds() {
    return stepSeconds;
  }

  int steps() {
    return steps;
  }

  /**
   * Returns the length in seconds of the intervals in which each client's requests are counted: ten
   * minutes, three hours or a day.
   */
  int clientIntervalSeconds() {
    return clientIntervalSeconds;
  }
}
