package dev.countersign.server.requests;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A position in the records of all nodes, one for each node. The nodes commit their records
 * independently of each other, so no single number could tell which records a reader has seen.
 *
 * @param numbers the last number of each node
 */
public record RequestPosition(Map<Long, Long> numbers) {
  /** The text of a position in the records of no node, because a text must not be empty. */
  private static final String NOWHERE = "none";

  // More than a thousand nodes.
  private static final int LONGEST = 32_000;
  private static final int RADIX = 36;
  // Long.parseLong also reads signs and the digits of other scripts.
  private static final Pattern FORM = Pattern.compile("[0-9a-z.-]+");

  public RequestPosition {
    numbers = Map.copyOf(numbers);
  }

  /**
   * Reads the text of {@link #toString()}. The text may come from a browser.
   *
   * @return the position; empty if the text is malformed
   */
  public static Optional<RequestPosition> parse(String text) {
    if (text.length() > LONGEST || !FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    if (text.equals(NOWHERE)) {
      return Optional.of(new RequestPosition(Map.of()));
    }
    Map<Long, Long> numbers = new HashMap<>();
    try {
      for (String part : text.split("\\.", -1)) {
        String[] node = part.split("-", -1);
        if (node.length != 2) {
          return Optional.empty();
        }
        numbers.put(Long.parseUnsignedLong(node[0], RADIX), natural(node[1]));
      }
      return Optional.of(new RequestPosition(numbers));
    } catch (NumberFormatException malformed) {
      return Optional.empty();
    }
  }

  private static long natural(String text) {
    return Math.max(0, Long.parseLong(text));
  }

  /** Returns the position as text of letters, digits, dots and hyphens. */
  @Override
  public String toString() {
    if (numbers.isEmpty()) {
      return NOWHERE;
    }
    return new TreeMap<>(numbers)
        .entrySet().stream()
            .map(node -> Long.toUnsignedString(node.getKey(), RADIX) + "-" + node.getValue())
            .collect(Collectors.joining("."));
  }
}
