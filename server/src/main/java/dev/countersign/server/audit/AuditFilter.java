package dev.countersign.server.audit;

import dev.countersign.server.store.StoredText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A filter for entries. A field that is null or blank matches every entry.
 *
 * @param author the author's name
 * @param action an action, or the beginning of an action, such as {@code client.}
 * @param subject the subject, such as {@code client:cl-…}
 * @param from the earliest time, inclusive
 * @param to the latest time, exclusive
 * @param text a text anywhere in the author, address, action, subject, before or after, ignoring
 *     the case of A to Z
 */
public record AuditFilter(
    @Nullable String author,
    @Nullable String action,
    @Nullable String subject,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String text) {

  private static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null);

  public AuditFilter {
    author = normalized(author);
    action = normalized(action);
    subject = normalized(subject);
    text = normalized(text);
  }

  /** Matches all entries. */
  public static AuditFilter all() {
    return ALL;
  }

  /**
   * Returns the filter as a SQL condition, which is true for every entry if all fields are empty.
   */
  String condition() {
    List<String> conditions = new ArrayList<>(List.of("1 = 1"));
    add(conditions, author, "author = ?");
    add(conditions, action, "substr(action, 1, length(?)) = ?");
    add(conditions, subject, "subject = ?");
    add(conditions, from, "at >= ?");
    add(conditions, to, "at < ?");
    add(
        conditions,
        text,
        "lower(author || ' ' || coalesce(address, '') || ' ' || action || ' ' || subject"
            + " || ' ' || before || ' ' || after) LIKE ? ESCAPE '!'");
    return String.join(" AND ", conditions);
  }

  /** Sets the parameters of the condition. */
  JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement) {
    List<Object> values = new ArrayList<>();
    add(values, author, author);
    add(values, action, action);
    add(values, action, action);
    add(values, subject, subject);
    add(values, from, from == null ? null : ceiling(from));
    add(values, to, to == null ? null : ceiling(to));
    add(values, text, text == null ? null : pattern(text));
    return statement.params(values);
  }

  private static @Nullable String normalized(@Nullable String text) {
    return text == null || text.isBlank() ? null : StoredText.of(text);
  }

  private static <T> void add(List<T> to, @Nullable Object criterion, @Nullable T value) {
    if (criterion != null && value != null) {
      to.add(value);
    }
  }

  // The times of entries are whole milliseconds, so "at or after 1.5 ms" means "at or after 2 ms".
  private static long ceiling(Instant time) {
    return time.plusNanos(999_999).toEpochMilli();
  }

  // SQL's lower() changes only A to Z: in SQLite always, in PostgreSQL because of the columns'
  // collation.
  private static String pattern(String text) {
    StringBuilder pattern = new StringBuilder("%");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '!' || c == '%' || c == '_') {
        pattern.append('!');
      }
      pattern.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
    }
    return pattern.append('%').toString();
  }
}
