package dev.countersign.server.store;

import java.nio.file.Path;
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
 * names that the migrations need. A migration that found such a table would fail, and leave behind
 * the tables of the migrations before it.
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
  private static final String HISTORY = "flyway_schema_history";
  private static final String HISTORY_COLUMNS =
      """
      SELECT name FROM pragma_table_info('flyway_schema_history')
      WHERE name IN ('installed_rank', 'version', 'type', 'script', 'checksum', 'success')
      """;
  private static final int HISTORY_COLUMN_COUNT = 6;

  private SqliteCollisions() {}

  /**
   * Returns the names in the file that collide with the migrations in a folder; empty if the file
   * has none, or if these migrations have begun already.
   *
   * @param path the path of the file, for messages
   * @throws StoreException if a build before 0.1.0 has made the service's tables in the file
   */
  static List<String> find(Connection file, Path path, String folder) throws SQLException {
    Set<String> names = texts(file, NAMES);
    if (names.isEmpty() || hasBegun(file, path)) {
      return List.of();
    }
    try (Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      var source = new SingleConnectionDataSource(memory, true);
      Migrations.run(source, folder, null, false, "a database in memory");
      names.retainAll(texts(memory, NAMES));
      return List.copyOf(names);
    }
  }

  private static boolean hasBegun(Connection file, Path path) throws SQLException {
    if (texts(file, HISTORY_COLUMNS).size() < HISTORY_COLUMN_COUNT) {
      return false;
    }
    Set<String> first = texts(file, Migrations.selectFirstMigration(HISTORY));
    Migrations.refuseUnreleased(first, "the database file " + path);
    return Migrations.isOwnHistory(first);
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
