package dev.countersign.server.portal.apikeys;

import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.KeyPreview;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking each line of a whitelist while an operator types it.
 *
 * @param entries the number of valid entries
 * @param problems the first invalid lines
 * @param everyone whether an entry admits every address
 */
record WhitelistCheck(int entries, List<LineError> problems, boolean everyone) {
  private static final String EVERYONE = "0.0.0.0";
  private static final int MOST_LINES = 1_000;
  // The number of invalid lines after which the check ends.
  private static final int MOST_PROBLEMS = 10;

  /**
   * A line that is not a valid entry.
   *
   * @param line counted from 1
   */
  record LineError(int line, String message) {}

  static WhitelistCheck of(String text) {
    List<LineError> problems = new ArrayList<>();
    if (KeyPreview.showsPrivateKey(text)) {
      return new WhitelistCheck(0, List.of(new LineError(1, PublicKeyForm.PRIVATE_KEY)), false);
    }
    List<String> lines = text.lines().map(String::strip).limit(MOST_LINES + 1).toList();
    int entries = 0;
    for (int i = 0; i < lines.size() && problems.size() < MOST_PROBLEMS; i++) {
      if (!lines.get(i).isEmpty()) {
        entries++;
        check(i + 1, lines.get(i), problems);
      }
    }
    if (lines.size() > MOST_LINES) {
      problems.add(new LineError(MOST_LINES + 1, "a whitelist must have at most 1,000 entries"));
    }
    return new WhitelistCheck(
        entries - problems.size(), List.copyOf(problems), opensToEveryone(lines));
  }

  /** Returns the lines of a text that are not blank. */
  static List<String> entries(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  static boolean opensToEveryone(List<String> entries) {
    return entries.contains(EVERYONE);
  }

  private static void check(int number, String line, List<LineError> problems) {
    try {
      NetworkWhitelist.parse(List.of(line));
    } catch (IllegalArgumentException refused) {
      problems.add(new LineError(number, String.valueOf(refused.getMessage())));
    }
  }
}
