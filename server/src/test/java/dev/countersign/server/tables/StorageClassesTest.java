package dev.countersign.server.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SQLite stores any value in any column: answers, read by Java, and filters, by SQL, agree. */
class StorageClassesTest {
  private static final List<String> TEXTS =
      List.of(
          "",
          "0",
          "1",
          "true",
          "abc",
          "\u00e4\u0665",
          "1.5",
          "-0",
          "1e3",
          "Infinity",
          "NaN",
          "2026-01-05",
          "2026-02-30",
          "2024-02-29",
          "0000-01-01",
          "0000-12-31",
          "0001-01-01",
          "9999-12-31",
          "12026-01-05",
          "+2026-01-05",
          "2026-1-5",
          "2026-01-05 10:00",
          "2026-01-05T10:00:00.123456Z",
          "0000-01-01T00:00:00+00:01",
          "0000-01-01T00:00:00-00:01",
          "9999-12-31T23:59:59.999Z",
          "9999-12-31T23:59:59-00:01",
          "9999-12-31T23:59:59+00:01",
          "now",
          "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
          "1F0E8C9A-3B5D-4C7E-9F21-6A8B0C2D4E6F",
          "1f0e8c9a3b5d4c7e9f216a8b0c2d4e6f",
          "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6g",
          "1f0e8c9a-3b5d-4c7e-9f216a8b-0c2d4e6f",
          "1f0e8c9a-3b5d-4c7e9-f21-6a8b0c2d4e6f",
          "-1f0e8c9-3b5d-4c7e-9f21-6a8b0c2d4e6f");

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = "JSON", mode = EnumSource.Mode.EXCLUDE)
  void anyValue_isReadableAlikeByJavaAndSql(ColumnType type) throws SQLException {
    List<String> literals =
        new ArrayList<>(
            List.of(
                "0",
                "1",
                "2",
                "-1",
                "9223372036854775807",
                "-9223372036854775808",
                "0.0",
                "1.0",
                "0.5",
                "-1.5e300"));
    literals.addAll(List.of("9e999", "-9e999", "20260105", "1767607200", "2461045.5", "x''"));
    for (String text : TEXTS) {
      String quoted = "'" + text + "'";
      literals.addAll(List.of(quoted, "CAST(" + quoted + " AS BLOB)", quoted + " || char(0)"));
    }
    Set<Boolean> seen = new HashSet<>();
    try (Database database = TestStore.SQLITE.open(directory);
        Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:");
        Statement statement = memory.createStatement()) {
      TableDialect dialect = TableDialect.of(database);
      for (String literal : literals) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT v, "
                    + SqliteConditions.isUnreadable("v", type)
                    + " FROM (SELECT "
                    + literal
                    + " AS v)")) {
          assertThat(row.next()).isTrue();
          boolean isUnreadable = row.getBoolean(2);
          assertThat(isUnreadable)
              .as(type + " " + literal)
              .isEqualTo(!isReadable(dialect, row, type));
          seen.add(isUnreadable);
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(true, false);
  }

  private static boolean isReadable(TableDialect dialect, ResultSet row, ColumnType type) {
    Table.Column column =
        new Table.Column(
            "v",
            new Table.Column.Type(
                "", "", Set.of(type), Table.Column.Limits.NONE, List.of(), false, true),
            true,
            Table.Column.Fill.NEVER);
    try {
      Object value =
          switch (type) {
            case UUID -> dialect.uuidText(row, 1);
            case TEXT -> dialect.text(row, 1, column);
            case INTEGER -> integer(row.getObject(1));
            case DECIMAL -> dialect.decimal(row, 1);
            case BOOLEAN -> dialect.bool(row, 1);
            case TIMESTAMP -> dialect.timestampText(row, 1, column);
            case DATE -> dialect.dateText(row, 1);
            case JSON -> throw new AssertionError("no filter compares JSON");
          };
      return value != null;
    } catch (SQLException | NumberFormatException unreadable) {
      return false;
    }
  }

  private static Object integer(Object value) throws SQLException {
    if (value instanceof Integer || value instanceof Long) {
      return value;
    }
    throw new SQLException();
  }
}
