package dev.countersign.server.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Timestamps;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The timestamps that programs store in SQLite: in answers, read by Java, and in filters, by SQL.
 */
class TimestampsTest {

  @ParameterizedTest
  @CsvSource({
    "2026-01-05 10:00:00+00:00, 2026-01-05T10:00:00Z",
    "2026-01-05 10:00:00 +01:00, 2026-01-05T09:00:00Z",
    "2026-01-05T10:00:00Z, 2026-01-05T10:00:00Z",
    "2026-01-05T10:00:00.5Z, 2026-01-05T10:00:00.500Z",
    "2026-01-05 10:00:00, 2026-01-05T10:00:00Z",
    "2026-01-05 10:00, 2026-01-05T10:00:00Z",
    "2026-01-05T10:00-05:30, 2026-01-05T15:30:00Z",
    "2026-01-05, 2026-01-05T00:00:00Z",
    "2026-01-05 10:00:00 Z, 2026-01-05T10:00:00Z",
    "2026-01-05 10:00:00.9999, 2026-01-05T10:00:00.999Z",
    "2026-01-05 23:59:59.99999999999999999, 2026-01-05T23:59:59.999Z",
    "2026-01-05 10:00:00.05+14:59, 2026-01-04T19:01:00.050Z",
    "1969-12-31 23:59:59.0009, 1969-12-31T23:59:59Z",
    "2024-02-29 00:00:00, 2024-02-29T00:00:00Z",
    "0000-01-01, 0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z",
  })
  void storedForm_isItsMillisecond(String text, Instant instant) throws SQLException {
    assertThat(Timestamps.parseMilliseconds(text)).isEqualTo(instant);
    assertThat(bySql(text)).isEqualTo(instant.toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-02-30",
        "2026-02-30 10:00:00",
        "2025-02-29",
        "2026-13-01",
        "2026-1-5",
        "20260105",
        "1767607200",
        "2461045.5",
        "2026-01-05T",
        "2026-01-05 ",
        "2026-01-05Z",
        "2026-01-05 10",
        "2026-01-05 10:0",
        "2026-01-05 24:00",
        "2026-01-05 10:60",
        "2026-01-05 10:00:60",
        "2026-01-05 10:00:",
        "2026-01-05 10:00:00.",
        "2026-01-05 10:00:00.Z",
        "2026-01-05 10:00:00.1.2",
        "2026-01-05 10:00.5",
        "2026-01-05 10:00:00,5",
        "2026-01-05 10:00:00 ",
        "2026-01-05 10:00:00  Z",
        "2026-01-05 10:00:00 UTC",
        "2026-01-05 10:00:00 +0000 UTC",
        "2026-01-05 10:00:00+0000",
        "2026-01-05 10:00:00+15:00",
        "2026-01-05 10:00:00+10:60",
        "2026-01-05 10:00:00z",
        "2026-01-05t10:00:00Z",
        "2026-01-05  10:00:00",
        " 2026-01-05",
        "-2026-01-05",
        "2026-01-05 10:00:00\u00002",
        "2026-01-05\u0000",
        "2026-01-0\u0665",
        "10:00:00",
      })
  void anythingElse_isNoTimestamp(String text) throws SQLException {
    assertThat(byJava(text)).isNull();
    assertThat(bySql(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1767607200", "2461045.5", "x'323032362d30312d3035'", "NULL"})
  void valueThatIsNoText_isNoTimestamp(String literal) throws SQLException {
    assertThat(evaluated(literal)).isNull();
  }

  /** One grammar: whatever text is stored, answers and filters read it alike. */
  @Test
  void anyText_isReadAlikeByJavaAndSql() throws SQLException {
    Random random = new Random(2026);
    int timestamps = 0;
    for (String text : texts(random)) {
      Long java = byJava(text);
      assertThat(bySql(text)).as(text).isEqualTo(java);
      timestamps += java == null ? 0 : 1;
    }
    assertThat(timestamps).isGreaterThan(1_000);
  }

  private static List<String> texts(Random random) {
    List<List<String>> parts =
        List.of(
            List.of("2026-01-05", "2024-02-29", "2026-02-30", "0001-01-01", "9999-12-31", "x"),
            List.of(" ", "T", "", "t"),
            List.of("10:00", "23:59", "24:00", "0:00", ""),
            List.of(":00", ":59", ":60", "", ":"),
            List.of("", ".5", ".9999", ".000", ".", ".12345678901234567890", ".1.2"),
            List.of("", " ", "  "),
            List.of("", "Z", "+00:00", "-14:59", "+15:00", "+1:00", "z", "Z "));
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      StringBuilder text = new StringBuilder();
      // The first choices are those of timestamps, and more likely.
      parts.forEach(
          choices ->
              text.append(
                  choices.get(
                      Math.min(random.nextInt(choices.size()), random.nextInt(choices.size())))));
      texts.add(text.toString());
    }
    return texts;
  }

  private static @Nullable Long byJava(String text) {
    try {
      return Timestamps.parseMilliseconds(text).toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static final Connection MEMORY = memory();

  private static Connection memory() {
    try {
      return DriverManager.getConnection("jdbc:sqlite::memory:");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Long bySql(String text) throws SQLException {
    try (PreparedStatement statement =
        MEMORY.prepareStatement(
            "SELECT " + SqliteConditions.milliseconds("v") + " FROM (SELECT ? AS v)")) {
      statement.setString(1, text);
      try (ResultSet row = statement.executeQuery()) {
        return value(row);
      }
    }
  }

  private static @Nullable Long evaluated(String literal) throws SQLException {
    try (Statement statement = MEMORY.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT "
                    + SqliteConditions.milliseconds("v")
                    + " FROM (SELECT "
                    + literal
                    + " AS v)")) {
      return value(row);
    }
  }

  private static @Nullable Long value(ResultSet row) throws SQLException {
    assertThat(row.next()).isTrue();
    Object value = row.getObject(1);
    return value == null ? null : ((Number) Objects.requireNonNull(value)).longValue();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-05T10:00:00.000Z, 0000-00-00T00:00:00.000Z",
    "2026-01-05 10:00:00+01:00, 0000-00-00 00:00:00+01:00",
    "2026-01-05, 0000-00-00",
    "1767607200, ''",
  })
  void form_tellsWhichTextsSortByTime(String text, String form) {
    assertThat(Timestamps.form(text)).isEqualTo(form);
  }
}
