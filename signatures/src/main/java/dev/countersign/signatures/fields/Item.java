package dev.countersign.signatures.fields;

import java.util.Objects;

/**
 * A value with its parameters: {@code text/html;charset=utf-8}. It is a whole field value, or a
 * member of a list, a dictionary or an inner list.
 *
 * @param value the value
 * @param parameters its parameters, often none
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3">RFC 9651 3.3</a>
 */
public record Item(BareItem value, Parameters parameters) implements Member {

  public Item {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(parameters, "parameters");
  }

  /** Returns an item with this value and without parameters. */
  public static Item of(BareItem value) {
    return new Item(value, Parameters.empty());
  }

  /**
   * Reads a field value that is exactly one item. If a field has several lines, join them with
   * {@code ", "} first (RFC 9651 4.2).
   *
   * @throws FieldParseException if the value is anything else
   */
  public static Item parse(String fieldValue) {
    return FieldParser.parse(fieldValue, FieldParser::item);
  }

  // RFC 9651 4.1.3
  @Override
  public String serialize() {
    return value.serialize() + parameters.serialize();
  }
}
