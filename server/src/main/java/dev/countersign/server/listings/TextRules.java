package dev.countersign.server.listings;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a text must obey beside being text.
 *
 * @param max the most code points
 * @param pattern what the whole text matches; null for anything
 * @param oneOf the texts that are allowed; empty for any
 * @param place where in a URL the text has to stand
 */
record TextRules(int max, @Nullable Pattern pattern, List<String> oneOf, Place place) {
  /** The most code points of a text for which the definition gives no other number. */
  static final int DEFAULT_MAX = 10_000;

  TextRules {
    oneOf = List.copyOf(oneOf);
  }

  /** Where in a URL a text has to stand. */
  enum Place {
    NOWHERE,
    /** It is the key of a record, the last segment of its path. */
    PATH_SEGMENT
  }

  /** The rule that a text breaks, to follow "must"; empty where it breaks none. */
  Optional<String> brokenBy(String text) {
    if (text.codePointCount(0, text.length()) > max) {
      return Optional.of("be at most " + max + " characters");
    }
    if (place == Place.PATH_SEGMENT && !isSegment(text)) {
      return Optional.of("fit into a URL: not empty, not . or .., without / and \\");
    }
    if (pattern != null && !pattern.matcher(text).matches()) {
      return Optional.of("match " + pattern);
    }
    if (!oneOf.isEmpty() && !oneOf.contains(text)) {
      return Optional.of("be one of " + String.join(", ", oneOf));
    }
    return Optional.empty();
  }

  // RFC 3986 section 5.2.4 takes dot segments out of a path, also encoded ones (section 6.2.2.3);
  // engines and proxies refuse an encoded slash, and read a backslash as one.
  private static boolean isSegment(String text) {
    return !text.isEmpty()
        && !text.equals(".")
        && !text.equals("..")
        && text.indexOf('/') < 0
        && text.indexOf('\\') < 0;
  }
}
