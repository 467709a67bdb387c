package dev.countersign.server.listings;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a text must obey beside being text.
 *
 * @param max the most code points
 * @param pattern what the whole text matches; null for anything
 * @param oneOf the texts that are allowed; empty for any
 */
record TextRules(int max, @Nullable Pattern pattern, List<String> oneOf) {
  /** The most code points of a text for which the definition gives no other number. */
  static final int DEFAULT_MAX = 10_000;

  TextRules {
    oneOf = List.copyOf(oneOf);
  }

  /** The rule that a text breaks, to follow "must"; empty where it breaks none. */
  Optional<String> brokenBy(String text) {
    if (text.codePointCount(0, text.length()) > max) {
      return Optional.of("be at most " + max + " characters");
    }
    if (pattern != null && !pattern.matcher(text).matches()) {
      return Optional.of("match " + pattern);
    }
    if (!oneOf.isEmpty() && !oneOf.contains(text)) {
      return Optional.of("be one of " + String.join(", ", oneOf));
    }
    return Optional.empty();
  }
}
