package dev.countersign.signatures.fields;

/**
 * A single value without parameters: one of the eight types that a structured field can carry.
 *
 * <p>Two bare items are equal if they have the same type and the same value: the Token {@code a} is
 * not the String {@code "a"}, and the Integer {@code 1} is not the Decimal {@code 1.0}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3">RFC 9651 3.3</a>
 */
public sealed interface BareItem
    permits IntegerItem,
        DecimalItem,
        StringItem,
        TokenItem,
        ByteSequence,
        BooleanItem,
        DateItem,
        DisplayString {

  /** The one canonical text of this value (RFC 9651 4.1.3.1). */
  String serialize();
}
