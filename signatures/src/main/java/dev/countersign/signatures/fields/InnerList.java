package dev.countersign.signatures.fields;

import java.util.List;
import java.util.Objects;

/**
 * Items in parentheses, with parameters on each item and on the whole list: {@code ("@method"
 * "date");created=1618884473}. Inner lists do not nest.
 *
 * @param items the items in order, possibly none; the list is copied
 * @param parameters the parameters of the list as a whole
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.1.1">RFC 9651 3.1.1</a>
 */
public record InnerList(List<Item> items, Parameters parameters) implements Member {

  public InnerList {
    items = List.copyOf(items);
    Objects.requireNonNull(parameters, "parameters");
  }

  /** Returns a list of these items. The list itself has no parameters. */
  public static InnerList of(Item... items) {
    return new InnerList(List.of(items), Parameters.empty());
  }

  /**
   * Reads a text that is exactly one inner list with its parameters, such as the value of the
   * component {@code @signature-params} in a signature base.
   *
   * @throws FieldParseException if the text is anything else
   */
  public static InnerList parse(String fieldValue) {
    return FieldParser.parse(fieldValue, FieldParser::innerList);
  }

  // RFC 9651 4.1.1.1
  @Override
  public String serialize() {
    StringBuilder text = new StringBuilder().append('(');
    for (Item item : items) {
      text.append(text.length() == 1 ? "" : " ").append(item.serialize());
    }
    return text.append(')').append(parameters.serialize()).toString();
  }
}
