package dev.countersign.server.audit;

import dev.countersign.server.store.StoredText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Which entries to show; a null or a blank asks for nothing.
 *
 * @param author the author's name
 * @param action an action, or its beginning such as {@code client.}
 * @param subject the subject, such as {@code client:cl-…}
 * @param from the earliest time
 * @param to the time before which
 * @param text what stands somewhere in the author, address, action, subject, before or after; the
 *     case of A to Z does not count
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
    author = asked(author);
    action = asked(action);
    subject = asked(subject);
    text = asked(text);
  }

  /** All entries. */
  public static AuditFilter all() {
    return ALL;
  }

  /** The same as a condition in SQL, true for every entry where nothing is asked for. */
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

  /** Fills the condition's parameters in. */
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

  private static @Nullable String asked(@Nullable String text) {
    return text == null || text.isBlank() ? null : StoredText.of(text);
  }

  private static <T> void add(List<T> to, @Nullable Object asked, @Nullable T value) {
    if (asked != null && value != null) {
      to.add(value);
    }
  }

  // Entries are at whole milliseconds: at or after 1.5 ms is at or after 2.
  private static long ceiling(Instant time) {
    return time.plusNanos(999_999).toEpochMilli();
  }

  // Both databases lower A to Z alone: SQLite knows no more, PostgreSQL by the columns' collation.
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
