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
 * <p>The version of a migration shows which minor version of Countersign introduced it: 1 to 999
 * belong to 0.1, 1000 to 1999 to 0.2, and so on. A build also works on a schema that a later build
 * of the same minor version has migrated. So, except for its first one, the migrations of a minor
 * version only expand the schema: the columns that they add are nullable or have a default.
 */
final class Migrations {
  /** The lowest version of the next minor version. Raise it by 1000 in each minor version. */
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
          "purge_leases",
          "request_counts",
          "request_durations",
          "request_clients",
          "key_challenges",
          "service_nodes",
          "registry_tokens",
          "flyway_schema_history");

  /** The script and the checksum of the first migration of each schema of 0.1.0 and later. */
  private static final Set<String> FIRST_MIGRATIONS =
      Set.of(
          "V1__countersign.sql 1793011292",
          "V1__requests.sql 1906752343",
          "V1__countersign.sql 1405450381");

  /** The scripts and the checksums of the first migrations of builds before 0.1.0. */
  private static final Set<String> UNRELEASED_FIRST_MIGRATIONS =
      Set.of(
          "V1__clients.sql 459603041",
          "V1__requests.sql -1228391892",
          "V1__clients.sql -514315357",
          "V1__countersign.sql -2048096101",
          "V1__requests.sql 1117128536",
          "V1__countersign.sql 631910542");

  /**
   * Lifts the timeouts that the role or the database sets for every statement. They are meant for
   * queries. The migration of a large table may take longer.
   */
  private static final BaseCallback LIFT_TIMEOUTS =
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

  /** Returns whether the service keeps its own data in the table of its schema with this name. */
  static boolean isOwnTable(String name) {
    return OWN_TABLES.contains(name.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns a query for the first migration in a schema's history. Its result is one text: the
   * script, a space and the checksum. A migration in Java has no checksum. The query skips the
   * baseline that the service writes.
   *
   * @param table the table with the history, quoted
   */
  static String selectFirstMigration(String table) {
    return "SELECT coalesce(script, '') || ' ' || coalesce(cast(checksum AS text), '') FROM "
        + table
        + " WHERE type <> 'BASELINE' OR version <> '0' ORDER BY installed_rank LIMIT 1";
  }

  /**
   * Checks that a schema was not created by a build before 0.1.0.
   *
   * @param first the result of {@link #selectFirstMigration}
   * @param where the file or schema, for messages
   * @throws StoreException if such a build created the schema
   */
  static void refuseUnreleased(Collection<String> first, String where) {
    if (first.stream().anyMatch(UNRELEASED_FIRST_MIGRATIONS::contains)) {
      throw new StoreException(
          where + " was made by an unreleased build; start with an empty database");
    }
  }

  /**
   * Returns whether the service wrote a history of migrations. Another program may also use Flyway,
   * and its scripts may have the same names but not the same checksums.
   *
   * @param first the result of {@link #selectFirstMigration}; empty if the first start was
   *     interrupted before its first migration
   */
  static boolean isOwnHistory(Collection<String> first) {
    return FIRST_MIGRATIONS.containsAll(first);
  }

  /**
   * Applies the missing migrations.
   *
   * @param folder the folder with the scripts, such as {@code sqlite} or {@code postgresql}
   * @param schema the schema's name in the database; null for SQLite
   * @param isShared whether the schema may contain tables of other programs. Flyway migrates such a
   *     schema only if its history starts with a baseline. An empty schema gets no baseline,
   *     because nodes that start at the same time could not all write it
   * @param where the file or server, for messages
   * @throws StoreException if a later minor version has migrated the schema, or a migration fails
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
              .callbacks(schema == null ? new Callback[0] : new Callback[] {LIFT_TIMEOUTS})
              .load();
      refuseNewer(flyway, where);
      flyway.migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          "cannot migrate the schema of "
              + where
              + ": "
              + rootMessage(e)
              + PostgresqlDialect.advice(e),
          e);
    }
  }

  private static void refuseNewer(Flyway flyway, String where) {
    for (MigrationInfo migration : flyway.info().all()) {
      MigrationVersion version = migration.getVersion();
      if (isFromNewerVersion(migration.getState(), version)) {
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

  /**
   * Returns whether a later minor version has applied a migration, or any later build has tried to
   * and failed.
   */
  private static boolean isFromNewerVersion(MigrationState state, MigrationVersion version) {
    return state == MigrationState.FUTURE_FAILED
        || (state == MigrationState.FUTURE_SUCCESS && version.compareTo(NEXT_MINOR) >= 0);
  }

  /** Returns the message of the root cause, on one line. */
  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return String.valueOf(root.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
