package dev.countersign.signatures.fields;

/**
 * An instant in whole seconds: {@code @1618884473}.
 *
 * <p>Leap seconds are not counted, as in {@link java.time.Instant#ofEpochSecond(long)}. Every
 * parser must support the years 1 to 9999; the format also allows other years.
 *
 * @param epochSeconds seconds since 1970-01-01T00:00:00Z, at most fifteen digits
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.7">RFC 9651 3.3.7</a>
 */
public record DateItem(long epochSeconds) implements BareItem {

  /**
   * @throws IllegalArgumentException if the value needs more than fifteen digits
   */
  public DateItem {
    IntegerItem.check("a Date", epochSeconds);
  }

  // RFC 9651 4.1.10
  @Override
  public String serialize() {
    return "@" + epochSeconds;
  }
}
