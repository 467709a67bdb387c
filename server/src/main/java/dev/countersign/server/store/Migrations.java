package dev.countersign.server.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/**
 * Migrates a schema with the scripts in {@code db/migration}, which has one folder for each schema.
 */
final class Migrations {
  private Migrations() {}

  /**
   * Applies the missing migrations.
   *
   * @param folder the folder of the schema, such as {@code sqlite} or {@code postgresql}
   * @param schema the schema's name in the database; null for the only one of SQLite
   * @param isShared whether the schema may contain other tables. Only then the history begins with
   *     a baseline: without one, several nodes can migrate an empty schema at the same time
   * @param where the file or server, for messages
   * @throws StoreException if the schema is newer than this build, or a migration fails
   */
  static void run(
      DataSource source, String folder, @Nullable String schema, boolean isShared, String where) {
    try {
      Flyway flyway =
          Flyway.configure(Migrations.class.getClassLoader())
              .dataSource(source)
              .locations("classpath:db/migration/" + folder)
              .failOnMissingLocations(true)
              .defaultSchema(schema)
              .createSchemas(false)
              .baselineOnMigrate(isShared)
              .baselineVersion("0")
              .load();
      refuseNewer(flyway, where);
      flyway.migrate();
    } catch (FlywayException e) {
      throw new StoreException("cannot migrate the schema of " + where + ": " + line(e), e);
    }
  }

  private static void refuseNewer(Flyway flyway, String where) {
    for (MigrationInfo migration : flyway.info().all()) {
      MigrationState state = migration.getState();
      if (state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED) {
        MigrationVersion version = migration.getVersion();
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

  private static String line(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return String.valueOf(root.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
