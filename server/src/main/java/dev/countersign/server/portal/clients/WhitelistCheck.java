package dev.countersign.server.portal.clients;

import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.KeyPreview;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking each line of a whitelist while an operator types it.
 *
 * @param entryCount the number of valid entries
 * @param problems the first invalid lines
 * @param opensToEveryone whether the valid entries restrict nobody
 * @param publicAddressCount the number of public IPv4 addresses that the valid entries admit, if it
 *     is so large that the operator should see it; otherwise 0
 */
record WhitelistCheck(
    int entryCount, List<LineError> problems, boolean opensToEveryone, long publicAddressCount) {
  private static final int MAX_LINES = 1_000;
  // The number of invalid lines after which the check ends.
  private static final int MAX_PROBLEMS = 10;

  /**
   * A line that is not a valid entry.
   *
   * @param line counted from 1
   */
  record LineError(int line, String message) {}

  static WhitelistCheck of(String text) {
    List<LineError> problems = new ArrayList<>();
    if (KeyPreview.containsPrivateKey(text)) {
      return new WhitelistCheck(0, List.of(new LineError(1, PublicKeyForm.PRIVATE_KEY)), false, 0);
    }
    List<String> lines = text.lines().map(ClientRules::stripped).limit(MAX_LINES + 1).toList();
    List<String> valid = new ArrayList<>();
    for (int i = 0; i < lines.size() && problems.size() < MAX_PROBLEMS; i++) {
      if (!lines.get(i).isEmpty() && checkLine(i + 1, lines.get(i), problems)) {
        valid.add(lines.get(i));
      }
    }
    if (lines.size() > MAX_LINES) {
      problems.add(new LineError(MAX_LINES + 1, "a whitelist must have at most 1,000 entries"));
    }
    return checkValid(valid.subList(0, Math.min(MAX_LINES, valid.size())), problems);
  }

  /** Returns the lines of a text that are not blank. */
  static List<String> entryLines(String text) {
    return text.lines().map(ClientRules::stripped).filter(line -> !line.isEmpty()).toList();
  }

  private static WhitelistCheck checkValid(List<String> entries, List<LineError> problems) {
    if (entries.isEmpty()) {
      return new WhitelistCheck(0, List.copyOf(problems), false, 0);
    }
    NetworkWhitelist whitelist = NetworkWhitelist.parse(entries);
    return new WhitelistCheck(
        entries.size(),
        List.copyOf(problems),
        whitelist.opensToEveryone(),
        whitelist.hasManyPublicAddresses() ? whitelist.publicIpv4Addresses() : 0);
  }

  /** Checks a line. Returns whether it is a valid entry, and otherwise adds its problem. */
  private static boolean checkLine(int number, String line, List<LineError> problems) {
    try {
      ClientRules.readWhitelist(List.of(line));
      return true;
    } catch (IllegalArgumentException refused) {
      problems.add(new LineError(number, String.valueOf(refused.getMessage())));
      return false;
    }
  }
}
