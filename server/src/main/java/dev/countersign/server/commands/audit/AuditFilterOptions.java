package dev.countersign.server.commands.audit;

import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.store.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that filter entries of the audit trail. */
final class AuditFilterOptions {
  @Option(names = "--author", paramLabel = "NAME", description = "Only entries of this author.")
  private @Nullable String author;

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description =
          "Only entries whose action begins with this text, such as client.added or client.")
  private @Nullable String action;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      description = "Only entries about this subject, such as client:ID.")
  private @Nullable String subject;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "Only entries from this time on: a date in UTC, or a time such as 2026-11-20T18:00:00Z.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Only entries before this time.")
  private @Nullable Instant to;

  @Option(
      names = "--text",
      paramLabel = "TEXT",
      description = "Only entries with this text in any column.")
  private @Nullable String text;

  AuditFilter filter() {
    return new AuditFilter(author, action, subject, from, to, text);
  }

  /** Parses a date or a time. */
  static final class Time implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
      return parse(value)
          .filter(Timestamps::isInRange)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'"
                          + value
                          + "' is not a date such as 2026-11-20 or a time such as"
                          + " 2026-11-20T18:00:00Z"));
    }

    private static Optional<Instant> parse(String value) {
      try {
        return Optional.of(
            value.contains("T")
                ? OffsetDateTime.parse(value).toInstant()
                : LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant());
      } catch (DateTimeException malformed) {
        return Optional.empty();
      }
    }
  }
}
