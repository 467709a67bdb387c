package dev.countersign.server.commands.clients;

import java.util.List;

/** The values of an option that may be repeated or contain several values separated by commas. */
final class ListedValues {
  private ListedValues() {}

  /** Removes the spaces around the values. */
  static List<String> stripped(List<String> values) {
    return values.stream().map(String::strip).toList();
  }
}
