package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The schema of the service's own tables. The database may contain any other schemas and tables.
 *
 * <p>The service's own statements see this schema alone. The statements of listings see the user's
 * search path without this schema, because triggers and functions of the operator's tables may
 * depend on the path. So the service's own statements never use a table of the operator that has
 * the name of a table of the service, and the statements of listings never use a table of the
 * service. This does not hold if the operator keeps other tables in the schema that {@code
 * countersign.schema} names.
 *
 * <p>Design note: each transaction sets the search path for itself. Behind a pooler such as
 * PgBouncer in transaction mode, a setting of the session would be lost, or would reach the
 * sessions of other programs. The driver discards its prepared statements when it sees a SET of the
 * search path that differs from the last one. It does not look into {@code set_config}.
 *
 * @param name the schema's name
 * @param userSchemas the schemas in which listings find their tables: those in the user's search
 *     path that exist and that the user may use
 * @param isOccupied whether the schema contained other objects, but not the service's tables, when
 *     it was found
 */
record PostgresqlSchema(String name, List<String> userSchemas, boolean isOccupied) {
  private static final String PUBLIC = "public";
  // Resets the path to that of the role or the database, whatever the session has set.
  private static final String RESET_PATH =
      "SELECT pg_catalog.set_config('search_path', NULL, true)";

  // PostgreSQL cuts names after 63 bytes, and reserves names that begin with pg_.
  private static final Pattern NAME = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");

  // The part of a query that finds tables with the names of four of the service's tables, by which
  // the service recognizes its schema.
  private static final String FROM_TABLES_WITH_OWN_NAMES =
      """
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname = ?
        AND c.relname IN ('clients', 'client_keys', 'client_revision', 'flyway_schema_history')
      """;

  PostgresqlSchema {
    userSchemas = List.copyOf(userSchemas);
  }

  /**
   * Finds the schema, or creates it at the first start.
   *
   * @param wanted the setting {@code countersign.schema}
   * @throws StoreException if the user may not create the schema or tables in it, or does not own
   *     the service's tables; the message then has the statement to run. Also if a build before
   *     0.1.0 has created the tables
   */
  static PostgresqlSchema prepare(Connection connection, String wanted) throws SQLException {
    if (!NAME.matcher(wanted).matches()) {
      throw new StoreException(
          "countersign.schema must be a lower-case letter or _, followed by at most 62 lower-case"
              + " letters, digits or _, and must not begin with pg_, was "
              + wanted);
    }
    List<String> schemas = userSchemas(connection);
    if (!exists(connection, wanted)) {
      create(connection, wanted);
    }
    requireUsable(connection, wanted);
    boolean hasOwnTables = hasOwnTables(connection, wanted);
    if (hasOwnTables) {
      refuseUnreleased(connection, wanted);
    }
    boolean isOccupied = !hasOwnTables && !isEmpty(connection, wanted);
    // If the user has the same name as the schema, the user's path contains it, as "$user".
    // Listings must not see it, except for the schema public, in which the operator may keep other
    // tables.
    List<String> visibleSchemas =
        schemas.stream().filter(schema -> !schema.equals(wanted) || schema.equals(PUBLIC)).toList();
    return new PostgresqlSchema(wanted, visibleSchemas, isOccupied);
  }

  /**
   * Returns the statement that sets the search path to the service's schema until the transaction
   * ends.
   */
  String setOwnPathForTransaction() {
    return pathStatement(List.of(name), true);
  }

  /**
   * Returns the statement that sets the search path to the service's schema until the session ends.
   * Migrations need it, because they do not set the path in each transaction.
   */
  String setOwnPathForSession() {
    return pathStatement(List.of(name), false);
  }

  /**
   * Returns the statement that sets the search path to the user's schemas until the transaction
   * ends.
   */
  String setUserPathForTransaction() {
    return pathStatement(userSchemas, true);
  }

  private static String pathStatement(List<String> schemas, boolean isForTransaction) {
    String path = schemas.stream().map(Dialect::quote).collect(Collectors.joining(", "));
    return "SELECT pg_catalog.set_config('search_path', '"
        + path.replace("'", "''")
        + "', "
        + isForTransaction
        + ")";
  }

  /** Returns whether the service keeps its own data in a table. */
  boolean isOwnTable(String schema, String table) {
    return schema.equals(name) && Migrations.isOwnTable(table);
  }

  /** Reads the user's search path. Afterwards, the transaction sees only the catalog. */
  private static List<String> userSchemas(Connection connection) throws SQLException {
    Dialect.execute(connection, RESET_PATH);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_catalog.current_schemas(false)")) {
      row.next();
      return Arrays.asList((String[]) row.getArray(1).getArray());
    } finally {
      setPathToCatalog(connection);
    }
  }

  // Other users may have created operators and functions in the schemas of the user's path.
  private static void setPathToCatalog(Connection connection) throws SQLException {
    Dialect.execute(connection, pathStatement(List.of("pg_catalog"), true));
  }

  /**
   * Returns whether a schema contains the service's tables. Tables of other owners do not count:
   * they may belong to another program, or an attacker may have created them to control which
   * clients the service accepts.
   */
  private static boolean hasOwnTables(Connection connection, String schema) throws SQLException {
    String owned =
        "SELECT pg_catalog.count(*) "
            + FROM_TABLES_WITH_OWN_NAMES
            + " AND pg_has_role(c.relowner, 'USAGE')";
    return text(connection, owned, schema).equals("4");
  }

  private static void refuseUnreleased(Connection connection, String schema) throws SQLException {
    String history = Dialect.quote(schema) + ".flyway_schema_history";
    String first = "SELECT coalesce((" + Migrations.selectFirstMigration(history) + "), '')";
    Migrations.refuseUnreleased(List.of(text(connection, first)), "the schema " + schema);
  }

  private static boolean isEmpty(Connection connection, String schema) throws SQLException {
    String count =
        """
        SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace n
        WHERE n.nspname = ?
          AND (EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid)
            OR EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.typnamespace = n.oid)
            OR EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.pronamespace = n.oid))
        """;
    return text(connection, count, schema).equals("0");
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
      setPathToCatalog(connection);
    } catch (SQLException e) {
      connection.rollback();
      setPathToCatalog(connection);
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
      // Suggests a new owner only for an empty schema, because an owner can drop what is in it.
      throw new StoreException(
          "the schema "
              + schema
              + " belongs to another user: run "
              + (isEmpty(connection, schema)
                  ? "ALTER SCHEMA " + Dialect.quote(schema) + " OWNER TO " + user(connection)
                  : "GRANT USAGE, CREATE ON SCHEMA "
                      + Dialect.quote(schema)
                      + " TO "
                      + user(connection)
                      + ", or choose another countersign.schema"));
    }
    String foreign =
        "SELECT coalesce(pg_catalog.min(c.relname), '') "
            + FROM_TABLES_WITH_OWN_NAMES
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
