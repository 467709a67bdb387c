package dev.countersign.server.listings;

import com.google.re2j.Pattern;
import dev.countersign.server.store.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member of a listing's records, as callers need to know it.
 *
 * @param name the member's name
 * @param type what it holds
 * @param nullable whether it may be null in an answer
 * @param giver who gives it to a new record
 * @param text what a text that a caller gives must obey; null for every other type
 * @param fallback what a new record gets where the caller leaves it out; null for nothing
 */
public record Member(
    String name,
    ColumnType type,
    boolean nullable,
    Giver giver,
    @Nullable Text text,
    @Nullable Object fallback) {

  /** Who gives a new record's value. */
  public enum Giver {
    /** The caller has to. */
    CALLER_MUST,
    /** The caller may; null is a value where the member is nullable. */
    CALLER_MAY,
    /** The service or its database, never the caller. */
    SERVICE
  }

  /**
   * The rules of a text.
   *
   * @param max the most code points
   * @param pattern an expression of RE2 that the whole text matches; null for anything
   * @param oneOf the texts that are allowed; empty for any
   */
  public record Text(int max, @Nullable String pattern, List<String> oneOf) {
    public Text {
      oneOf = List.copyOf(oneOf);
    }
  }

  static Member of(Field field) {
    Pattern pattern = field.rules().pattern();
    return new Member(
        field.name(),
        field.type(),
        field.column().nullable(),
        switch (field.origin()) {
          case CALLER_MUST -> Giver.CALLER_MUST;
          case CALLER -> Giver.CALLER_MAY;
          case SERVER, DATABASE -> Giver.SERVICE;
        },
        field.type() == ColumnType.TEXT
            ? new Text(
                field.rules().max(),
                pattern == null ? null : pattern.pattern(),
                field.rules().oneOf())
            : null,
        field.fallback());
  }
}
