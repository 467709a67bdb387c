package dev.countersign.cli.explain;

/**
 * The result for one rule.
 *
 * @param note the value, the fault, or why the rule was not checked; may be empty
 */
public record Finding(ProfileRule rule, State state, String note) {

  /** The state of a rule. */
  public enum State {
    HOLDS("ok"),
    BROKEN("broken"),
    NOT_CHECKED("not checked");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** The state in words for people. */
    public String word() {
      return word;
    }
  }
}
