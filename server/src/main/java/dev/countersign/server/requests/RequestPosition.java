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
 * @param sequence the last id that a node of an older build took from the table {@code
 *     request_sequence}
 * @param numbers the last number of each node
 */
public record RequestPosition(long sequence, Map<Long, Long> numbers) {
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
    String[] parts = text.split("\\.", -1);
    Map<Long, Long> numbers = new HashMap<>();
    try {
      for (int i = 1; i < parts.length; i++) {
        String[] node = parts[i].split("-", -1);
        if (node.length != 2) {
          return Optional.empty();
        }
        numbers.put(Long.parseUnsignedLong(node[0], RADIX), natural(node[1]));
      }
      return Optional.of(new RequestPosition(natural(parts[0]), numbers));
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
    return sequence
        + new TreeMap<>(numbers)
            .entrySet().stream()
                .map(
                    node ->
                        "." + Long.toUnsignedString(node.getKey(), RADIX) + "-" + node.getValue())
                .collect(Collectors.joining());
  }
}
