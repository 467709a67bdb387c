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
   * Reads a field value; an empty value is an empty list.
   *
   * @throws FieldParseException if it is not a list
   */
  public static FieldList parse(String fieldValue) {
    return FieldParser.parse(fieldValue, FieldParser::list);
  }

  /**
   * Reads a field of several lines, which are joined with {@code ", "} in their order.
   *
   * @throws FieldParseException if the lines are not a list; the position of the exception refers
   *     to the joined text
   */
  public static FieldList parse(List<String> fieldLines) {
    return parse(FieldParser.join(fieldLines));
  }

  // RFC 9651 4.1.1
  /**
   * The canonical text. If the list is empty, the text is empty as well, and the field must not be
   * sent.
   */
  public String serialize() {
    StringBuilder text = new StringBuilder();
    for (Member member : members) {
      text.append(text.isEmpty() ? "" : ", ").append(member.serialize());
    }
    return text.toString();
  }
}
