package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ways in which clients and proxies spell a part of a path or a query (RFC 3986 section 2). */
final class Spellings {
  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
  // These characters, which some programs leave unencoded: ! " $ ' ( ) * + , : ; @ [ ]
  private static final Pattern OFTEN_UNENCODED =
      Pattern.compile("%(2[1247-9A-Ca-c]|3[ABab]|40|5[BDbd])");
  private static final Pattern UNRESERVED =
      Pattern.compile("%(2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])");

  private Spellings() {}

  private static List<UnaryOperator<String>> rules(String separators) {
    return List.of(
        text -> decode(text, OFTEN_UNENCODED),
        text -> decode(text, UNRESERVED),
        text -> decode(decode(text, UNRESERVED), OFTEN_UNENCODED),
        text -> eachPart(text, separators, Spellings::encoded),
        text -> eachPart(text, separators, part -> encoded(part).replace("%20", "+")),
        text -> eachPart(text, separators, part -> encoded(part).replace("%2A", "*")),
        text -> text.replace(",", "%2C"),
        text -> text.replace(",", "%2c"),
        text -> text.replace(":", "%3A"),
        text -> text.replace("+", "%20"),
        text -> text.replace("%20", "+"),
        text -> text.replace("+", "%2B"),
        text -> text.replace("%20", " "),
        text -> hex(text, digits -> digits.toUpperCase(Locale.ROOT)),
        text -> hex(text, digits -> digits.toLowerCase(Locale.ROOT)),
        text -> text.replace("%25", "%"),
        text -> text.replace("%", "%25"),
        text -> decode(text, ENCODED));
  }

  /** Other spellings of a text; separators such as {@code &} stay as they are. */
  static Set<String> of(String text, String separators) {
    Set<String> spellings = new LinkedHashSet<>();
    rules(separators).forEach(rule -> spellings.add(rule.apply(text)));
    spellings.remove(text);
    return spellings;
  }

  private static String decode(String text, Pattern pattern) {
    return pattern
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group().substring(1), 16))));
  }

  private static String hex(String text, UnaryOperator<String> change) {
    return ENCODED.matcher(text).replaceAll(match -> change.apply(match.group()));
  }

  private static String eachPart(String text, String separators, UnaryOperator<String> change) {
    StringBuilder changed = new StringBuilder();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (separators.indexOf(c) >= 0) {
        changed.append(change.apply(part.toString())).append(c);
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    return changed.append(change.apply(part.toString())).toString();
  }

  /** Decodes a text, and percent-encodes everything but unreserved characters. */
  private static String encoded(String text) {
    try {
      return URLEncoder.encode(URLDecoder.decode(text, UTF_8), UTF_8)
          .replace("+", "%20")
          .replace("*", "%2A")
          .replace("%7E", "~");
    } catch (IllegalArgumentException strayPercentSign) {
      return text;
    }
  }
}
