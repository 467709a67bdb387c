package dev.countersign.server.operators;

import java.util.Locale;

/** The role of an operator. */
public enum OperatorRole {
  /** Views and changes everything. */
  ADMINISTRATOR,
  /** Views everything and changes nothing. */
  VIEWER;

  /** Returns the word for commands, pages and the audit trail. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static OperatorRole parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
