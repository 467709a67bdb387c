package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of the service's own tables. The database may contain any other schemas and tables.
 *
 * @param name the schema's name
 */
record PostgresqlSchema(String name) {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSchema.class);

  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  private static final String WITH_OWN_TABLES =
      """
      SELECT n.nspname FROM pg_namespace n
      WHERE n.nspname = %s
        AND 4 = (
          SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r'
          AND c.relname IN ('clients', 'client_keys', 'client_revision', 'flyway_schema_history'))
      """;
  // Version 0.1 created its tables in the first schema of the search path.
  private static final String OF_VERSION_0_1 =
      WITH_OWN_TABLES.formatted("ANY (current_schemas(false))")
          + " ORDER BY array_position(current_schemas(false), n.nspname) LIMIT 1";

  /**
   * Finds the schema, or creates it at the first start. If version 0.1 created the service's tables
   * elsewhere, they stay there.
   *
   * @param wanted the setting {@code countersign.schema}
   * @throws StoreException with the statement to run if the user may not create the schema, or may
   *     not create tables in it
   */
  static PostgresqlSchema prepare(Connection connection, String wanted) throws SQLException {
    if (!NAME.matcher(wanted).matches()) {
      throw new StoreException(
          "countersign.schema must be a lower-case letter or _, followed by lower-case letters,"
              + " digits or _, was "
              + wanted);
    }
    boolean begun = text(connection, WITH_OWN_TABLES.formatted("?"), wanted) != null;
    if (!begun && wanted.equals(StoreSettings.SCHEMA)) {
      Optional<String> older = Optional.ofNullable(text(connection, OF_VERSION_0_1));
      if (older.isPresent()) {
        LOG.info("the service's own tables are in the schema {}, as in version 0.1", older.get());
        return new PostgresqlSchema(older.get());
      }
    }
    if (!exists(connection, wanted)) {
      create(connection, wanted);
    }
    requireUsable(connection, wanted);
    return new PostgresqlSchema(wanted);
  }

  /**
   * Returns the statement that every session begins with. The service's tables take precedence over
   * others of the same name; the user's own search path follows.
   */
  String beginSession() {
    return "SELECT set_config('search_path', concat_ws(', ', '"
        + Dialect.quote(name)
        + "', nullif(current_setting('search_path'), '')), false)";
  }

  private static boolean exists(Connection connection, String schema) throws SQLException {
    return text(connection, "SELECT nspname FROM pg_namespace WHERE nspname = ?", schema) != null;
  }

  // Several nodes may start at once, so another one may create the schema first.
  private static void create(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      if (!exists(connection, schema)) {
        throw new StoreException(
            "the schema "
                + schema
                + " does not exist, and it cannot be created ("
                + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                + "): run CREATE SCHEMA "
                + schema
                + " AUTHORIZATION "
                + user(connection),
            e);
      }
    }
  }

  private static void requireUsable(Connection connection, String schema) throws SQLException {
    String usable =
        "SELECT nspname FROM pg_namespace WHERE nspname = ?"
            + " AND has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE')";
    if (text(connection, usable, schema) == null) {
      throw new StoreException(
          "the schema "
              + schema
              + " belongs to another user: run ALTER SCHEMA "
              + schema
              + " OWNER TO "
              + user(connection));
    }
  }

  private static String user(Connection connection) throws SQLException {
    return String.valueOf(text(connection, "SELECT quote_ident(current_user)"));
  }

  private static @Nullable String text(Connection connection, String sql, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }
}
