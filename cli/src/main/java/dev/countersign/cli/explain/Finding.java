package dev.countersign.cli.explain;

/**
 * What came of one rule.
 *
 * @param note the figure, the fault or why it was not checked; empty where there is nothing to say
 */
public record Finding(Rule rule, State state, String note) {

  /** How a rule fared. */
  public enum State {
    HOLDS("ok"),
    BROKEN("broken"),
    NOT_CHECKED("not checked");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** For people. */
    public String word() {
      return word;
    }
  }
}
