package dev.countersign.pagination;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown for a query parameter that a list does not accept. This is the caller's mistake, so the
 * response is 400.
 *
 * <p>The message names the parameter, the rule and the value, such as {@code size must be 1 to 100,
 * was 500}. It may be shown to the caller: text from the query is made printable and cut after
 * about 64 characters, and a cursor after 16.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1">RFC 9110, section 15.5.1</a>
 */
public final class PageParameterException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CURSOR_LENGTH = 16;

  /** Why a parameter was refused; stable, so that callers may rely on it. */
  public enum Reason {
    /** The list has this parameter, but its value breaks a rule. */
    PARAMETER_INVALID,
    /** The list has no parameter of this name. */
    PARAMETER_UNKNOWN
  }

  private final Reason reason;
  private final String parameter;

  private PageParameterException(Reason reason, String parameter, String message) {
    super(message);
    this.reason = reason;
    this.parameter = parameter;
  }

  /**
   * Creates the exception for an invalid value. The rule follows "must" in the message. If several
   * values contradict each other, the message gives all of them.
   *
   * <p>A list uses it for its {@linkplain PageRules#parameters() additional parameters}.
   */
  public static PageParameterException invalid(String parameter, String rule, String... values) {
    String was =
        Arrays.stream(values)
            .map(value -> Printable.of(shown(parameter, value)))
            .collect(Collectors.joining(" and "));
    String name = Printable.of(parameter);
    return new PageParameterException(
        Reason.PARAMETER_INVALID, name, name + " must " + rule + ", was " + was);
  }

  // A cursor may contain values of a record, which messages should not repeat.
  private static String shown(String parameter, String value) {
    return parameter.equals(PageQuery.AFTER) && value.length() > SHOWN_CURSOR_LENGTH
        ? value.substring(0, SHOWN_CURSOR_LENGTH) + "..."
        : value;
  }

  static PageParameterException unknown(String parameter, List<String> known, List<String> near) {
    String name = Printable.of(parameter);
    String hint = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    return new PageParameterException(
        Reason.PARAMETER_UNKNOWN,
        name,
        name + " is unknown; the parameters are " + String.join(", ", known) + hint);
  }

  /** Why the parameter was refused: for its value or for its name. */
  public Reason reason() {
    return reason;
  }

  /** The parameter's name, decoded and made printable. */
  public String parameter() {
    return parameter;
  }
}
