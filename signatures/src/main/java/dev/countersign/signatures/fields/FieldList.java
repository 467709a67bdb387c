package dev.countersign.signatures.fields;

import java.util.List;

/**
 * A field value of members in order, called a List by the specification: {@code a, "b", (1 2)}.
 *
 * @param members the members in order, possibly none; the list is copied
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.1">RFC 9651 3.1</a>
 */
public record FieldList(List<Member> members) {

  public FieldList {
    members = List.copyOf(members);
  }

  public static FieldList of(Member... members) {
    return new FieldList(List.of(members));
  }

  public static FieldList of(List<? extends Member> members) {
    return new FieldList(List.copyOf(members));
  }

  /**
   * Reads a field value; an empty one is an empty list.
   *
   * @throws FieldParseException if it is no list
   */
  public static FieldList parse(String fieldValue) {
    return FieldParser.parse(fieldValue, FieldParser::list);
  }

  /**
   * Reads a field that came in several lines, joined with {@code ", "} in their order.
   *
   * @throws FieldParseException if they are not a list; its position refers to the joined text
   */
  public static FieldList parse(List<String> fieldLines) {
    return parse(FieldParser.join(fieldLines));
  }

  // RFC 9651 4.1.1
  /** The canonical text. If the list is empty, so is the text: do not send the field at all. */
  public String serialize() {
    StringBuilder text = new StringBuilder();
    for (Member member : members) {
      text.append(text.isEmpty() ? "" : ", ").append(member.serialize());
    }
    return text.toString();
  }
}
