package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Finds out before the first migration of a SQLite file whether other tables or indexes in it have
 * names that the migrations need. A migration that found such a table would fail, and leave the
 * tables of the migrations before it.
 *
 * <p>Design note: the migrations run in an empty database in memory, which then has exactly the
 * names in question. This happens only at a start on a file that has tables and has not been
 * migrated.
 */
final class SqliteCollisions {
  private static final String NAMES =
      """
      SELECT lower(name) FROM sqlite_schema
      WHERE type IN ('table', 'index', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
      """;
  private static final String HISTORY_COLUMNS =
      """
      SELECT name FROM pragma_table_info('flyway_schema_history')
      WHERE name IN ('installed_rank', 'version', 'type', 'script', 'checksum', 'success')
      """;
  private static final int HISTORY_COLUMN_COUNT = 6;

  // The first migration after the service's own baseline. A migration in Java has no checksum.
  private static final String FIRST_MIGRATION =
      """
      SELECT coalesce(script, '') || ' ' || coalesce(checksum, '') FROM flyway_schema_history
      WHERE type <> 'BASELINE' OR version <> '0' ORDER BY installed_rank LIMIT 1
      """;

  // The names alone could be those of another program's migrations.
  private static final Set<String> OUR_FIRST_MIGRATIONS =
      Set.of("V1__clients.sql 459603041", "V1__requests.sql -1228391892");

  private SqliteCollisions() {}

  /**
   * Returns the names in the file that collide with the migrations in a folder; empty if the file
   * has none, or if these migrations have begun already.
   */
  static List<String> find(Connection file, String folder) throws SQLException {
    Set<String> names = texts(file, NAMES);
    if (names.isEmpty() || hasBegun(file)) {
      return List.of();
    }
    try (Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      var source = new SingleConnectionDataSource(memory, true);
      Migrations.run(source, folder, null, false, "a database in memory");
      names.retainAll(texts(memory, NAMES));
      return List.copyOf(names);
    }
  }

  /** Returns whether the history of migrations is the service's, and not another program's. */
  private static boolean hasBegun(Connection file) throws SQLException {
    if (texts(file, HISTORY_COLUMNS).size() < HISTORY_COLUMN_COUNT) {
      return false;
    }
    // An interrupted first start may have left a history that is empty or has only the baseline.
    return OUR_FIRST_MIGRATIONS.containsAll(texts(file, FIRST_MIGRATION));
  }

  private static Set<String> texts(Connection connection, String sql) throws SQLException {
    Set<String> texts = new TreeSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
