package dev.countersign.server.operators;

import java.util.Locale;

/** What an operator may do. */
public enum Role {
  /** Sees and changes everything. */
  ADMINISTRATOR,
  /** Sees, and changes nothing. */
  VIEWER;

  /** Its word in commands, on pages and in the trail. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Role parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
