package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of the service's own tables. The database may contain any other schemas and tables.
 *
 * <p>The service's own statements see this schema alone. The statements of listings see the user's
 * search path, because triggers and functions of the operator's tables may depend on it. Neither
 * can mistake a table of one side for a table of the other.
 *
 * @param name the schema's name
 * @param userPath the user's search path, as PostgreSQL writes it
 * @param userSchemas the schemas of that path that exist
 * @param isShared whether the schema contained other tables before those of the service
 */
record PostgresqlSchema(String name, String userPath, List<String> userSchemas, boolean isShared) {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSchema.class);

  // PostgreSQL cuts names after 63 bytes, and reserves names that begin with pg_.
  private static final Pattern NAME = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");

  private static final String OWN_TABLES =
      """
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname = ?
        AND c.relname IN ('clients', 'client_keys', 'client_revision', 'flyway_schema_history')
      """;

  PostgresqlSchema {
    userSchemas = List.copyOf(userSchemas);
  }

  /**
   * Finds the schema, or creates it at the first start. If an earlier build created the service's
   * tables in the user's search path, they stay there.
   *
   * @param wanted the setting {@code countersign.schema}
   * @throws StoreException with the statement to run if the user may not create the schema or
   *     tables in it, or does not own the tables
   */
  static PostgresqlSchema prepare(Connection connection, String wanted) throws SQLException {
    if (!NAME.matcher(wanted).matches()) {
      throw new StoreException(
          "countersign.schema must be a lower-case letter or _, followed by at most 62 lower-case"
              + " letters, digits or _, and must not begin with pg_, was "
              + wanted);
    }
    String path = text(connection, "SELECT pg_catalog.current_setting('search_path')");
    List<String> schemas = schemas(connection);
    Optional<String> older =
        hasOwnTables(connection, wanted) ? Optional.empty() : older(connection, schemas, wanted);
    if (older.isPresent() && wanted.equals(StoreSettings.SCHEMA)) {
      LOG.info("the service's own tables are in the schema {}", older.get());
      return new PostgresqlSchema(older.get(), path, schemas, false);
    }
    older.ifPresent(
        schema ->
            LOG.warn(
                "the schema {} contains tables of the service too; they are not used, because"
                    + " countersign.schema is {}",
                schema,
                wanted));
    if (!exists(connection, wanted)) {
      create(connection, wanted);
    }
    requireUsable(connection, wanted);
    boolean shared =
        !hasOwnTables(connection, wanted)
            && !text(
                    connection,
                    "SELECT pg_catalog.count(*) FROM pg_catalog.pg_class c JOIN"
                        + " pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?",
                    wanted)
                .equals("0");
    return new PostgresqlSchema(wanted, path, schemas, shared);
  }

  /** Returns the statement that every session begins with. */
  String beginSession() {
    return "SET search_path TO " + Dialect.quote(name);
  }

  /** Returns the statement with which the rest of a transaction sees the user's search path. */
  String showUserPath() {
    return "SELECT pg_catalog.set_config('search_path', '"
        + userPath.replace("'", "''")
        + "', true)";
  }

  /** Returns the statement with which the rest of a transaction sees the service's tables. */
  String showOwnTables() {
    return "SET LOCAL search_path TO " + Dialect.quote(name);
  }

  private static List<String> schemas(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_catalog.current_schemas(false)")) {
      row.next();
      return Arrays.asList((String[]) row.getArray(1).getArray());
    }
  }

  private static Optional<String> older(Connection connection, List<String> schemas, String wanted)
      throws SQLException {
    for (String schema : schemas) {
      if (!schema.equals(wanted) && hasOwnTables(connection, schema)) {
        return Optional.of(schema);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a schema holds the service's tables. Tables of other owners do not count: they
   * may be somebody else's, or planted to take over the registry.
   */
  private static boolean hasOwnTables(Connection connection, String schema) throws SQLException {
    String owned =
        "SELECT pg_catalog.count(*) " + OWN_TABLES + " AND pg_has_role(c.relowner, 'USAGE')";
    return text(connection, owned, schema).equals("4");
  }

  private static boolean exists(Connection connection, String schema) throws SQLException {
    String count = "SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace WHERE nspname = ?";
    return text(connection, count, schema).equals("1");
  }

  // Several nodes may start at once, so another one may create the schema first.
  private static void create(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + Dialect.quote(schema));
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
                + Dialect.quote(schema)
                + " AUTHORIZATION "
                + user(connection),
            e);
      }
    }
  }

  private static void requireUsable(Connection connection, String schema) throws SQLException {
    String usable =
        "SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace WHERE nspname = ?"
            + " AND has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE')";
    if (!text(connection, usable, schema).equals("1")) {
      throw new StoreException(
          "the schema "
              + schema
              + " belongs to another user: run ALTER SCHEMA "
              + Dialect.quote(schema)
              + " OWNER TO "
              + user(connection));
    }
    String foreign =
        "SELECT coalesce(pg_catalog.min(c.relname), '') "
            + OWN_TABLES
            + " AND NOT pg_has_role(c.relowner, 'USAGE')";
    String table = text(connection, foreign, schema);
    if (!table.isEmpty()) {
      throw new StoreException(
          "the table "
              + schema
              + "."
              + table
              + " belongs to another user: run ALTER TABLE "
              + Dialect.quote(schema)
              + "."
              + Dialect.quote(table)
              + " OWNER TO "
              + user(connection)
              + " if it is the service's own, or choose another countersign.schema");
    }
  }

  private static String user(Connection connection) throws SQLException {
    return text(connection, "SELECT pg_catalog.quote_ident(current_user)");
  }

  private static String text(Connection connection, String sql, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int index = 1;
      for (String parameter : parameters) {
        statement.setString(index++, parameter);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return String.valueOf(row.getString(1));
      }
    }
  }
}
