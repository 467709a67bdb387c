package dev.countersign.signatures.fields;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A second implementation of RFC 9651 4.2: slow, plain, and independent of the library. It converts
 * the text of a field to its canonical text, so two parsers that agree on the text agree on the
 * value.
 */
public final class NaiveFields {
  private static final Pattern SPACES = Pattern.compile(" *");
  private static final Pattern OPTIONAL_WHITESPACE = Pattern.compile("[ \t]*");
  private static final Pattern KEY = Pattern.compile("[a-z*][a-z0-9_.*-]*");

  private String rest;

  private NaiveFields(String text) {
    this.rest = text;
  }

  /**
   * Returns the canonical text of a list; empty if the text is not a list. The other methods do the
   * same for their types.
   */
  public static Optional<String> list(String text) {
    return field(text, NaiveFields::list);
  }

  public static Optional<String> dictionary(String text) {
    return field(text, NaiveFields::dictionary);
  }

  public static Optional<String> item(String text) {
    return field(text, NaiveFields::item);
  }

  public static Optional<String> innerList(String text) {
    return field(text, NaiveFields::innerList);
  }

  // RFC 9651 4.2
  private static Optional<String> field(String text, Function<NaiveFields, String> type) {
    NaiveFields fields = new NaiveFields(text);
    try {
      fields.take(SPACES);
      String canonical = type.apply(fields);
      fields.take(SPACES);
      return fields.rest.isEmpty() ? Optional.of(canonical) : Optional.empty();
    } catch (Refused e) {
      return Optional.empty();
    }
  }

  // RFC 9651 4.2.1
  private String list() {
    List<String> members = new ArrayList<>();
    while (!rest.isEmpty()) {
      members.add(member());
      comma();
    }
    return String.join(", ", members);
  }

  // RFC 9651 4.2.2: put overwrites a value and keeps its place.
  private String dictionary() {
    Map<String, String> members = new LinkedHashMap<>();
    while (!rest.isEmpty()) {
      String key = take(KEY);
      members.put(key, skip("=") ? member() : "?1" + parameters());
      comma();
    }
    return members.entrySet().stream().map(NaiveFields::named).collect(Collectors.joining(", "));
  }

  private void comma() {
    take(OPTIONAL_WHITESPACE);
    if (rest.isEmpty()) {
      return;
    }
    require(skip(","));
    take(OPTIONAL_WHITESPACE);
    require(!rest.isEmpty());
  }

  // RFC 9651 4.1.2 and 4.1.1.2: true is written as its key alone.
  private static String named(Map.Entry<String, String> entry) {
    String value = entry.getValue();
    return entry.getKey() + (value.startsWith("?1") ? value.substring(2) : "=" + value);
  }

  private String member() {
    return rest.startsWith("(") ? innerList() : item();
  }

  // RFC 9651 4.2.1.2
  private String innerList() {
    require(skip("("));
    List<String> items = new ArrayList<>();
    take(SPACES);
    while (!skip(")")) {
      items.add(item());
      require(rest.startsWith(" ") || rest.startsWith(")"));
      take(SPACES);
    }
    return "(" + String.join(" ", items) + ")" + parameters();
  }

  // RFC 9651 4.2.3
  private String item() {
    return bareItem() + parameters();
  }

  // RFC 9651 4.2.3.2
  private String parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    while (skip(";")) {
      take(SPACES);
      String key = take(KEY);
      parameters.put(key, skip("=") ? bareItem() : "?1");
    }
    return parameters.entrySet().stream().map(p -> ";" + named(p)).collect(Collectors.joining());
  }

  private String bareItem() {
    for (NaiveItem type : NaiveItem.values()) {
      Matcher matcher = type.form().matcher(rest);
      if (matcher.lookingAt()) {
        rest = rest.substring(matcher.end());
        return type.canonical(matcher.group()).orElseThrow(Refused::new);
      }
    }
    throw new Refused();
  }

  private boolean skip(String text) {
    boolean there = rest.startsWith(text);
    rest = there ? rest.substring(text.length()) : rest;
    return there;
  }

  private String take(Pattern pattern) {
    Matcher matcher = pattern.matcher(rest);
    require(matcher.lookingAt());
    rest = rest.substring(matcher.end());
    return matcher.group();
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new Refused();
    }
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super(null, null, false, false);
    }
  }
}
