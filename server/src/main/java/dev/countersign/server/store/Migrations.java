package dev.countersign.server.store;

import java.sql.SQLException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.jspecify.annotations.Nullable;

/**
 * Migrates a schema with the scripts in {@code db/migration}, which has one folder for each schema.
 *
 * <p>The version of a migration tells the minor version of Countersign that introduced it: 1 to 999
 * belong to 0.1, 1000 to 1999 to 0.2, and so on. Within a minor version, the migrations after the
 * first one only expand the schema, so that a build also works on a schema that a later build of
 * its minor version has migrated. New columns are nullable or have a default.
 */
final class Migrations {
  /** The first migration of the next minor version. Raise it by 1000 in each minor version. */
  private static final MigrationVersion NEXT_MINOR = MigrationVersion.fromVersion("1000");

  /**
   * The tables in which the service keeps its own data. The migrations also create {@code wallets},
   * which the built-in listing serves.
   */
  static final Set<String> OWN_TABLES =
      Set.of(
          "clients",
          "client_keys",
          "client_attributes",
          "client_revision",
          "replay_claims",
          "replay_floor",
          "idempotent_answers",
          "audit_entries",
          "audit_head",
          "operators",
          "operator_changes",
          "operator_sessions",
          "operator_links",
          "operator_devices",
          "openid_sign_ins",
          "client_key_uses",
          "client_key_history",
          "request_records",
          "request_details",
          "request_nodes",
          "purge_leases",
          "request_counts",
          "request_durations",
          "request_clients",
          "key_challenges",
          "service_nodes",
          "registry_tokens",
          "flyway_schema_history");

  /** The first migration of each schema, with its checksum. It never changes. */
  private static final Set<String> FIRST =
      Set.of(
          "V1__countersign.sql -2048096101",
          "V1__requests.sql 1117128536",
          "V1__countersign.sql 631910542");

  /** The first migrations of the builds before 0.1.0. */
  private static final Set<String> UNRELEASED =
      Set.of(
          "V1__clients.sql 459603041",
          "V1__requests.sql -1228391892",
          "V1__clients.sql -514315357");

  /**
   * Frees a migration of the limits that the role or the database sets for every statement. They
   * are meant for queries, and a migration of a large table takes as long as it takes.
   */
  private static final BaseCallback WITHOUT_LIMITS =
      new BaseCallback() {
        @Override
        public boolean supports(Event event, Context context) {
          return event == Event.BEFORE_EACH_MIGRATE;
        }

        @Override
        public void handle(Event event, Context context) {
          try {
            Dialect.execute(
                context.getConnection(),
                "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
          } catch (SQLException e) {
            throw new FlywayException("cannot lift the limits of a migration", e);
          }
        }
      };

  private Migrations() {}

  /** Returns whether a table with this name in the service's schema is one of its own. */
  static boolean isOwnTable(String name) {
    return OWN_TABLES.contains(name.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns a query for the first migration in a schema's history: its script and its checksum,
   * which a migration in Java does not have. The service's own baseline does not count.
   *
   * @param table the table with the history, quoted
   */
  static String firstOf(String table) {
    return "SELECT coalesce(script, '') || ' ' || coalesce(cast(checksum AS text), '') FROM "
        + table
        + " WHERE type <> 'BASELINE' OR version <> '0' ORDER BY installed_rank LIMIT 1";
  }

  /**
   * Checks that no build before 0.1.0 has made a schema.
   *
   * @param first the result of {@link #firstOf}
   * @param where the file or schema, for messages
   * @throws StoreException if such a build has made it
   */
  static void requireReleased(Collection<String> first, String where) {
    if (first.stream().anyMatch(UNRELEASED::contains)) {
      throw new StoreException(
          where + " was made by an unreleased build; start with an empty database");
    }
  }

  /**
   * Returns whether a history of migrations is the service's own, and not another program's, whose
   * scripts may have the same names.
   *
   * @param first the result of {@link #firstOf}; empty if an interrupted first start has left no
   *     migration
   */
  static boolean isOwnHistory(Collection<String> first) {
    return FIRST.containsAll(first);
  }

  /**
   * Applies the missing migrations.
   *
   * @param folder the folder of the schema, such as {@code sqlite} or {@code postgresql}
   * @param schema the schema's name in the database; null for the only one of SQLite
   * @param isShared whether the schema may contain other tables. Flyway then needs a baseline at
   *     the start of its history. In an empty schema there is none, because nodes that start at the
   *     same time cannot all write it
   * @param where the file or server, for messages
   * @throws StoreException if the schema belongs to a later minor version than this build, or a
   *     migration fails
   */
  static void run(
      DataSource source, String folder, @Nullable String schema, boolean isShared, String where) {
    try {
      Flyway flyway =
          Flyway.configure(Migrations.class.getClassLoader())
              .dataSource(source)
              .locations("classpath:db/migration/" + folder)
              .failOnMissingLocations(true)
              .ignoreMigrationPatterns("*:future")
              .defaultSchema(schema)
              .createSchemas(false)
              .baselineOnMigrate(isShared)
              .baselineVersion("0")
              .callbacks(schema == null ? new Callback[0] : new Callback[] {WITHOUT_LIMITS})
              .load();
      refuseNewer(flyway, where);
      flyway.migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          "cannot migrate the schema of " + where + ": " + line(e) + PostgresqlDialect.advice(e),
          e);
    }
  }

  private static void refuseNewer(Flyway flyway, String where) {
    for (MigrationInfo migration : flyway.info().all()) {
      MigrationVersion version = migration.getVersion();
      if (isUnusable(migration.getState(), version)) {
        throw new StoreException(
            "the schema of "
                + where
                + " is version "
                + version
                + ", which a newer Countersign created: run that version, or restore an older"
                + " backup");
      }
    }
  }

  private static boolean isUnusable(MigrationState state, MigrationVersion version) {
    return state == MigrationState.FUTURE_FAILED
        || (state == MigrationState.FUTURE_SUCCESS && version.compareTo(NEXT_MINOR) >= 0);
  }

  private static String line(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return String.valueOf(root.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
