package dev.countersign.server.listings.suggestions;

import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Derives names from those of the database and gives each name once.
 *
 * <p>Spring's binding ignores case and dashes in the keys of a map, so names that differ only in
 * these count as equal.
 */
final class DistinctNames {
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9]+");

  private final Set<String> taken = new HashSet<>();

  /** Returns this name, with a number appended if it was given before. */
  String give(String name, String separator) {
    String given = name;
    for (int number = 2; !taken.add(uniform(given)); number++) {
      given = name + separator + number;
    }
    return given;
  }

  private static String uniform(String name) {
    return name.replace("-", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the member name for a column, such as {@code createdAt} for {@code created_at}. */
  static String member(String column) {
    StringBuilder name = new StringBuilder();
    for (String word : words(column)) {
      boolean isUpper = word.equals(word.toUpperCase(Locale.ROOT));
      String rest = isUpper ? word.toLowerCase(Locale.ROOT) : word;
      String first = rest.substring(0, 1);
      name.append(name.isEmpty() ? first.toLowerCase(Locale.ROOT) : first.toUpperCase(Locale.ROOT))
          .append(rest, 1, rest.length());
    }
    boolean isName = !name.isEmpty() && !Character.isDigit(name.charAt(0));
    return isName ? name.toString() : "column" + name;
  }

  /** Returns the part of a path for a schema or table, such as {@code monthly-entries}. */
  static String segment(String name, String ifEmpty) {
    String segment = String.join("-", words(name)).toLowerCase(Locale.ROOT);
    return segment.isEmpty() ? ifEmpty : segment;
  }

  /** Returns the runs of ASCII letters and digits, after removing accents. */
  private static List<String> words(String name) {
    String plain =
        MARKS
            .matcher(Normalizer.normalize(name.replace("ß", "ss"), Normalizer.Form.NFKD))
            .replaceAll("");
    return Stream.of(OTHER.split(plain, -1)).filter(word -> !word.isEmpty()).toList();
  }
}
