package dev.countersign.server.listings;

import com.google.re2j.Pattern;
import dev.countersign.server.store.values.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of a listing's records, for callers.
 *
 * @param name the member's name
 * @param type the type of its values
 * @param nullable whether it may be null in an answer
 * @param giver who gives the member's value in a new record
 * @param text the rules for a text that a caller gives; null for other types
 * @param fallback the member's value in a new record if the caller omits the member; null for none
 */
public record RecordMember(
    String name,
    ColumnType type,
    boolean nullable,
    Giver giver,
    @Nullable Text text,
    @Nullable Object fallback) {

  /** The party that gives the member's value in a new record. */
  public enum Giver {
    /** The caller must give the value. */
    CALLER_MUST,
    /** The caller may omit the value or give one; null is allowed if the member is nullable. */
    CALLER_MAY,
    /** The service or its database generates the value. A caller cannot give one. */
    SERVICE
  }

  /**
   * The rules for a text.
   *
   * @param max the maximum number of code points
   * @param pattern an RE2 expression that the whole text matches; null for any text
   * @param oneOf the allowed texts; empty for any
   */
  public record Text(int max, @Nullable String pattern, List<String> oneOf) {
    public Text {
      oneOf = List.copyOf(oneOf);
    }
  }

  static RecordMember of(Field field) {
    Pattern pattern = field.rules().pattern();
    return new RecordMember(
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
