package dev.countersign.server.commands;

import java.util.List;

/** The values of an option that may be repeated, or hold several values between commas. */
final class ListedValues {
  private ListedValues() {}

  /** The values without the spaces that people write behind commas. */
  static List<String> stripped(List<String> values) {
    return values.stream().map(String::strip).toList();
  }
}
