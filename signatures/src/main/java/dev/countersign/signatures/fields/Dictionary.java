package dev.countersign.signatures.fields;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A field value of named members, in order: {@code sig1=("date");created=1, sig2=()}.
 *
 * <p>Equal dictionaries have the same keys with the same members in the same order; the text that
 * they were parsed from does not matter.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.2">RFC 9651 3.2</a>
 */
public final class Dictionary {

  private final Map<String, Member> members;
  private final Set<String> repeatedKeys;
  private final String input;
  private final Map<String, Span> spans;

  /**
   * Takes over the collections without copying them. The keys must have been checked. The spans are
   * positions in the input.
   */
  Dictionary(
      Map<String, Member> members,
      Set<String> repeatedKeys,
      String input,
      Map<String, Span> spans) {
    this.members = Collections.unmodifiableMap(members);
    this.repeatedKeys = Collections.unmodifiableSet(repeatedKeys);
    this.input = input;
    this.spans = spans;
  }

  /**
   * Copies the map in its iteration order, so pass a {@link LinkedHashMap}.
   *
   * @throws IllegalArgumentException if a key breaks the rule of RFC 9651 3.1.2
   */
  public static Dictionary of(Map<String, ? extends Member> members) {
    Map<String, Member> copy = new LinkedHashMap<>();
    members.forEach(
        (key, member) -> copy.put(KeyRule.check(key), Objects.requireNonNull(member, key)));
    return new Dictionary(copy, Set.of(), "", Map.of());
  }

  /**
   * Reads a field value; an empty value is an empty dictionary.
   *
   * @throws FieldParseException if it is not a dictionary
   */
  public static Dictionary parse(String fieldValue) {
    return FieldParser.parse(fieldValue, FieldParser::dictionary);
  }

  /**
   * Reads a field of several lines, which are joined with {@code ", "} in their order.
   *
   * @throws FieldParseException if the lines are not a dictionary; the position of the exception
   *     refers to the joined text
   */
  public static Dictionary parse(List<String> fieldLines) {
    return parse(FieldParser.join(fieldLines));
  }

  /** The member with this key, if there is one. */
  public Optional<Member> get(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /** The keys in order; unmodifiable. */
  public Set<String> keys() {
    return members.keySet();
  }

  /** The keys and members in order; unmodifiable. */
  public Map<String, Member> asMap() {
    return members;
  }

  /**
   * The keys that occurred more than once in the parsed text. The last member was kept, as RFC 9651
   * 4.2.2 requires. A strict caller refuses such a field instead. {@link #equals} does not compare
   * these keys.
   */
  public Set<String> repeatedKeys() {
    return repeatedKeys;
  }

  /**
   * The member's value exactly as in the input: the text after the {@code =}, including the
   * parameters. If the member had no {@code =}, this is the text of its parameters, which is often
   * empty. If the dictionary was not parsed from a text, this is the value as {@link #serialize}
   * writes it.
   */
  public Optional<String> textOf(String key) {
    Member member = members.get(key);
    if (member == null) {
      return Optional.empty();
    }
    Span span = spans.get(key);
    return Optional.of(span == null ? valueText(member) : span.in(input));
  }

  // RFC 9651 4.1.2
  /**
   * The canonical text. If the dictionary is empty, the text is empty as well, and the field must
   * not be sent.
   */
  public String serialize() {
    StringBuilder text = new StringBuilder();
    members.forEach(
        (key, member) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(key)
                .append(isTrue(member) ? "" : "=")
                .append(valueText(member)));
    return text.toString();
  }

  private static String valueText(Member member) {
    return isTrue(member) ? member.parameters().serialize() : member.serialize();
  }

  private static boolean isTrue(Member member) {
    return member instanceof Item item && item.value().equals(BooleanItem.TRUE);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Dictionary that && Ordered.equal(members, that.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
