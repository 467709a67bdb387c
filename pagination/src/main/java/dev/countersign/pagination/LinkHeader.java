package dev.countersign.pagination;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Reads a {@code Link} header. Links after a malformed one are ignored.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8288#appendix-B">RFC 8288, appendix B</a>
 */
final class LinkHeader {
  private static final String WHITESPACE = " \t";
  private static final char END = '\0';

  private final String text;
  private int at;

  private LinkHeader(String text) {
    this.text = text;
  }

  /**
   * Returns the target of each relation, as written. If several links have the same relation, the
   * first one counts. Relation names are case-insensitive (RFC 8288, section 2.1). Links with an
   * {@code anchor} are left out, because they start from another resource.
   */
  static Map<String, String> targets(List<String> headers) {
    Map<String, String> targets = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(header -> new LinkHeader(header).read(targets));
    return targets;
  }

  // RFC 8288, appendix B.2
  private void read(Map<String, String> targets) {
    do {
      skip(WHITESPACE + ",");
      int end = text.indexOf('>', at);
      if (current() != '<' || end < 0) {
        return;
      }
      String target = text.substring(at + 1, end);
      at = end + 1;
      Map<String, String> parameters = parameters();
      if (!parameters.containsKey("anchor")) {
        String relations = Objects.requireNonNullElse(parameters.get("rel"), "");
        for (String relation : relations.split("[ \t]+", -1)) {
          targets.putIfAbsent(relation, target);
        }
      }
    } while (current() == ',');
  }

  // RFC 8288, appendix B.3. Only the first parameter rel counts (section 3.3).
  private Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    skip(WHITESPACE);
    while (current() == ';') {
      at++;
      String name = upTo("=;,").toLowerCase(Locale.ROOT);
      String value = "";
      if (current() == '=') {
        at++;
        skip(WHITESPACE);
        value = current() == '"' ? quoted() : upTo(";,");
      }
      parameters.putIfAbsent(name, value);
      skip(WHITESPACE);
    }
    return parameters;
  }

  // RFC 8288, appendix B.4
  private String quoted() {
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length() && current() != '"') {
      at += current() == '\\' && at + 1 < text.length() ? 1 : 0;
      value.append(current());
      at++;
    }
    at++;
    return value.toString();
  }

  private String upTo(String delimiters) {
    int begin = at;
    while (at < text.length() && delimiters.indexOf(current()) < 0) {
      at++;
    }
    return text.substring(begin, at).strip();
  }

  private void skip(String characters) {
    while (at < text.length() && characters.indexOf(current()) >= 0) {
      at++;
    }
  }

  private char current() {
    return at < text.length() ? text.charAt(at) : END;
  }
}
