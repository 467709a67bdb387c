package dev.countersign.server.portal.audit;

import dev.countersign.server.audit.AuditFilter;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The search form of the audit trail.
 *
 * @param text a text that occurs anywhere in an entry
 * @param author the author's name
 * @param action an action, or the beginning of an action
 * @param subject a subject
 * @param from the first day, in UTC
 * @param to the last day, in UTC
 */
record AuditForm(
    @Nullable String text,
    @Nullable String author,
    @Nullable String action,
    @Nullable String subject,
    @Nullable String from,
    @Nullable String to) {

  private static final int LAST_YEAR = 9_999;

  AuditFilter filter() {
    LocalDate last = day(to);
    return new AuditFilter(
        author,
        action,
        subject,
        start(day(from)),
        start(last == null ? null : last.plusDays(1)),
        text);
  }

  private static @Nullable Instant start(@Nullable LocalDate day) {
    return day == null ? null : day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  // Browsers send a day or nothing. Anything else counts as nothing.
  private static @Nullable LocalDate day(@Nullable String text) {
    try {
      LocalDate day = text == null || text.isBlank() ? null : LocalDate.parse(text);
      return day == null || day.getYear() < 1 || day.getYear() > LAST_YEAR ? null : day;
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
