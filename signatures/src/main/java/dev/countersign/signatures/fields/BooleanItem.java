package dev.countersign.signatures.fields;

/**
 * True or false: {@code ?1} or {@code ?0}.
 *
 * <p>As a parameter or a dictionary member, true is written as the bare key.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.6">RFC 9651 3.3.6</a>
 */
public record BooleanItem(boolean value) implements BareItem {

  /** {@code ?1}. */
  public static final BooleanItem TRUE = new BooleanItem(true);

  /** {@code ?0}. */
  public static final BooleanItem FALSE = new BooleanItem(false);

  // RFC 9651 4.1.9
  @Override
  public String serialize() {
    return value ? "?1" : "?0";
  }
}
