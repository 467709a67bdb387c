package dev.countersign.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.opentest4j.TestAbortedException;

/**
 * Both databases, for tests that run on either. One PostgreSQL serves all tests of a run. If it
 * cannot start, its tests are skipped, but they fail in continuous integration, which sets {@code
 * CI}.
 *
 * <p>A new database is a copy of one that was migrated once, because that is faster than the
 * migrations. A test of the migrations begins with {@link #empty}. {@link
 * MigratedFiles#switchToLaterSchema} lets tests run on a schema of a later build.
 */
public enum TestStore {
  SQLITE {
    @Override
    public StoreSettings empty(Path directory) {
      return StoreSettings.embedded(directory);
    }

    @Override
    public StoreSettings settings(Path directory) {
      MigratedFiles.copyTo(directory);
      return StoreSettings.embedded(directory);
    }
  },
  POSTGRESQL {
    @Override
    public StoreSettings empty(Path directory) {
      return Server.settings(directory, Server.EMPTY);
    }

    @Override
    public StoreSettings settings(Path directory) {
      return Server.settings(
          directory, MigratedFiles.usesLaterSchema() ? Server.LATER : Server.MIGRATED);
    }
  };

  /**
   * For the tests of what only uses a store: both databases in the full run. The quick run has
   * PostgreSQL, where the races are, and SQLite in one test of each class or in a service.
   */
  public static final String OF_THIS_RUN = "dev.countersign.server.store.TestStore#ofThisRun";

  static Stream<TestStore> ofThisRun() {
    return Boolean.getBoolean("countersign.full") ? Stream.of(values()) : Stream.of(POSTGRESQL);
  }

  /**
   * The settings of a database that belongs to this directory; the same one for each call. If there
   * is none yet, it is made, and has the service's own tables.
   */
  public abstract StoreSettings settings(Path directory);

  /** Like {@link #settings}, but a database that is made is empty. */
  public abstract StoreSettings empty(Path directory);

  public Database open(Path directory) {
    return Database.open(settings(directory));
  }

  /** Opens a database whose transactions may take this long. */
  public Database open(Path directory, Duration limit) {
    return Database.open(settings(directory), limit);
  }

  /** Runs statements as the operator would, without the service and each on its own. */
  public void run(Path directory, String... statements) throws SQLException {
    StoreSettings settings = settings(directory);
    String url =
        settings.url() == null
            ? "jdbc:sqlite:" + directory.resolve("countersign.db")
            : settings.url();
    try (Connection connection = DriverManager.getConnection(url, settings.user(), null);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static final class Server {
    static final String EMPTY = "template0";
    static final String MIGRATED = "migrated";
    static final String LATER = "later";

    // By directory, the names of the databases.
    private static final Map<Path, String> CREATED = new HashMap<>();
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
    private static int count;
    private static PostgresqlServer running;

    private Server() {}

    static synchronized StoreSettings settings(Path directory, String template) {
      PostgresqlServer server = started();
      Path path = directory.toAbsolutePath();
      if (!CREATED.containsKey(path)) {
        dropUnused(server);
        CREATED.put(path, create(server, "t" + ++count, template));
      }
      return settings(server, directory, CREATED.get(path));
    }

    /**
     * Drops the databases of tests that ended, whose directories JUnit has deleted. Otherwise
     * hundreds would be left for the end, and removing their files takes longer than Surefire waits
     * for a process.
     */
    private static void dropUnused(PostgresqlServer server) {
      CREATED
          .entrySet()
          .removeIf(
              created -> {
                boolean unused = isDeleted(created.getKey());
                if (unused) {
                  query(server, "DROP DATABASE " + created.getValue() + " WITH (FORCE)");
                }
                return unused;
              });
    }

    /** A test need not create the directory itself, but JUnit has created one above it. */
    private static boolean isDeleted(Path directory) {
      return directory.startsWith(TEMPORARY)
          && Files.notExists(TEMPORARY.resolve(TEMPORARY.relativize(directory).getName(0)));
    }

    private static StoreSettings settings(PostgresqlServer server, Path directory, String name) {
      return new StoreSettings(directory, server.url(name), "postgres", null, StoreSettings.SCHEMA);
    }

    /** Starts the server, unless it runs. After a failure, the next test tries again. */
    private static PostgresqlServer started() {
      if (running == null) {
        try {
          PostgresqlServer server = PostgresqlServer.startTemporary();
          create(server, MIGRATED, EMPTY);
          Database.open(settings(server, Path.of(MIGRATED), MIGRATED)).close();
          awaitUnused(server, MIGRATED);
          create(server, LATER, MIGRATED);
          MigratedFiles.expand(server.url(LATER), "postgres", "postgresql");
          awaitUnused(server, LATER);
          running = server;
        } catch (IOException | RuntimeException e) {
          String failure = "PostgreSQL cannot start here: " + e;
          if (System.getenv("CI") != null) {
            throw new IllegalStateException(failure, e);
          }
          throw new TestAbortedException(failure, e);
        }
      }
      return running;
    }

    /**
     * PostgreSQL copies a database only if no session uses it; a closed one ends a little later.
     */
    private static void awaitUnused(PostgresqlServer server, String name) {
      String sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + name + "'";
      Awaitility.await().until(() -> server.query(sessions).equals("0"));
    }

    private static String create(PostgresqlServer server, String name, String template) {
      query(server, "CREATE DATABASE " + name + " ENCODING 'UTF8' TEMPLATE " + template);
      return name;
    }

    private static void query(PostgresqlServer server, String sql) {
      try {
        server.query(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
