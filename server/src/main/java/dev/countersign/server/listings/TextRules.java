package dev.countersign.server.listings;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a text.
 *
 * @param max the maximum number of code points
 * @param pattern an expression of RE2 that the whole text must match; null for any text
 * @param oneOf the allowed texts; empty for any
 * @param place the place of the text in a URL
 */
public record TextRules(int max, @Nullable Pattern pattern, List<String> oneOf, Place place) {
  /** The maximum number of code points if the definition gives none. */
  public static final int DEFAULT_MAX = 10_000;

  public TextRules {
    oneOf = List.copyOf(oneOf);
  }

  /** The place of a text in a URL. */
  public enum Place {
    NOWHERE,
    /** The text is the key of a record, the last segment of its path. */
    PATH_SEGMENT
  }

  /**
   * Returns the rule that a text violates, as a continuation of "must"; empty if the text violates
   * no rule.
   */
  Optional<String> violationOf(String text) {
    if (text.codePointCount(0, text.length()) > max) {
      return Optional.of("be at most " + max + " characters");
    }
    if (place == Place.PATH_SEGMENT && !isSegment(text)) {
      return Optional.of("fit into a URL: not empty, not . or .., without / or \\");
    }
    if (pattern != null && !pattern.matcher(text).matches()) {
      return Optional.of(match(pattern));
    }
    return oneOf.isEmpty() || oneOf.contains(text) ? Optional.empty() : Optional.of(choice());
  }

  /**
   * Returns the rule that says what texts look like, as a continuation of "must": the allowed texts
   * or the pattern; empty if there is neither.
   */
  Optional<String> shape() {
    return oneOf.isEmpty()
        ? Optional.ofNullable(pattern).map(TextRules::match)
        : Optional.of(choice());
  }

  private String choice() {
    return "be one of " + String.join(", ", oneOf);
  }

  private static String match(Pattern pattern) {
    return "match " + pattern;
  }

  // RFC 3986 section 5.2.4 removes dot segments from a path, even encoded ones (section 6.2.2.3).
  // Web servers and proxies refuse an encoded slash, and read a backslash as a slash.
  private static boolean isSegment(String text) {
    return !text.isEmpty()
        && !text.equals(".")
        && !text.equals("..")
        && text.indexOf('/') < 0
        && text.indexOf('\\') < 0;
  }
}
