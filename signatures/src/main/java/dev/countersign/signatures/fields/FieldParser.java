package dev.countersign.signatures.fields;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Parses lists, dictionaries, inner lists and items. Each algorithm of RFC 9651 4.2 is one method,
 * with its section number above it.
 */
final class FieldParser {

  private final Cursor cursor;
  private final BareItemParser bareItems;

  private FieldParser(String input) {
    this.cursor = new Cursor(input);
    this.bareItems = new BareItemParser(cursor);
  }

  // RFC 9651 4.2: field lines are joined before they are parsed, whatever they contain.
  static String join(List<String> fieldLines) {
    return String.join(", ", fieldLines);
  }

  // RFC 9651 4.2
  static <T> T parse(String input, Function<FieldParser, T> type) {
    FieldParser parser = new FieldParser(input);
    parser.cursor.skipSpaces();
    T value = type.apply(parser);
    parser.cursor.skipSpaces();
    if (!parser.cursor.atEnd()) {
      throw parser.cursor.expected("the end of the field value");
    }
    return value;
  }

  // RFC 9651 4.2.1
  FieldList list() {
    List<Member> members = new ArrayList<>();
    while (!cursor.atEnd()) {
      members.add(itemOrInnerList());
      separator();
    }
    return new FieldList(members);
  }

  // RFC 9651 4.2.2
  Dictionary dictionary() {
    Map<String, Member> members = new LinkedHashMap<>();
    Set<String> repeated = Set.of();
    Map<String, Span> spans = new HashMap<>();
    while (!cursor.atEnd()) {
      String key = key();
      boolean bare = !cursor.skip('=');
      int start = cursor.position();
      Member member = bare ? new Item(BooleanItem.TRUE, parameters()) : itemOrInnerList();
      // A repeated key takes the new value and keeps its old place.
      if (members.put(key, member) != null) {
        repeated = with(key, repeated);
      }
      spans.put(key, new Span(start, cursor.position()));
      separator();
    }
    return new Dictionary(members, repeated, cursor.input(), spans);
  }

  // RFC 9651 4.2.1 and 4.2.2: a comma with optional whitespace around it; a trailing comma is an
  // error.
  private void separator() {
    cursor.skipOptionalWhitespace();
    if (cursor.atEnd()) {
      return;
    }
    if (!cursor.skip(',')) {
      throw cursor.expected("',' or the end of the field value");
    }
    cursor.skipOptionalWhitespace();
    if (cursor.atEnd()) {
      throw cursor.expected("another member after ','");
    }
  }

  // RFC 9651 4.2.1.1
  private Member itemOrInnerList() {
    return cursor.peek() == '(' ? innerList() : item();
  }

  // RFC 9651 4.2.1.2
  InnerList innerList() {
    if (!cursor.skip('(')) {
      throw cursor.expected("'('");
    }
    List<Item> items = new ArrayList<>();
    cursor.skipSpaces();
    while (!cursor.skip(')')) {
      if (cursor.atEnd()) {
        throw cursor.expected("')' or an item");
      }
      items.add(item());
      if (cursor.peek() != ' ' && cursor.peek() != ')') {
        throw cursor.expected("')' or a space");
      }
      cursor.skipSpaces();
    }
    return new InnerList(items, parameters());
  }

  // RFC 9651 4.2.3
  Item item() {
    BareItem value = bareItems.bareItem();
    return new Item(value, parameters());
  }

  // RFC 9651 4.2.3.2
  private Parameters parameters() {
    if (cursor.peek() != ';') {
      return Parameters.empty();
    }
    Map<String, BareItem> values = new LinkedHashMap<>();
    Set<String> repeated = Set.of();
    while (cursor.skip(';')) {
      cursor.skipSpaces();
      String key = key();
      BareItem value = cursor.skip('=') ? bareItems.bareItem() : BooleanItem.TRUE;
      // A repeated key takes the new value and keeps its old place.
      if (values.put(key, value) != null) {
        repeated = with(key, repeated);
      }
    }
    return new Parameters(values, repeated);
  }

  /** Fields seldom repeat a key, so the set is created only for the first repeated key. */
  private static Set<String> with(String key, Set<String> repeated) {
    Set<String> more = repeated.isEmpty() ? new LinkedHashSet<>() : repeated;
    more.add(key);
    return more;
  }

  // RFC 9651 4.2.3.3
  private String key() {
    if (!Ascii.isKeyStart(cursor.peek())) {
      throw cursor.expected("a key (a lower-case letter or '*' first)");
    }
    int start = cursor.position();
    while (Ascii.isKeyPart(cursor.peek())) {
      cursor.advance();
    }
    return cursor.textFrom(start);
  }
}
