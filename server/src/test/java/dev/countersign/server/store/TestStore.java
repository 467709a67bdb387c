package dev.countersign.server.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
import org.springframework.util.FileSystemUtils;

/**
 * Both databases, for tests that run on either. One PostgreSQL serves all tests of a run. If it
 * cannot start, its tests are skipped, but they fail in continuous integration, which sets {@code
 * CI}.
 *
 * <p>A new database is a copy of one that was migrated once, because that is faster than the
 * migrations. A test of the migrations begins with {@link #empty}.
 */
public enum TestStore {
  SQLITE {
    @Override
    public StoreSettings empty(Path directory) {
      return StoreSettings.embedded(directory);
    }

    @Override
    public StoreSettings settings(Path directory) {
      SqliteFiles.copyTo(directory);
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
      return Server.settings(directory, Server.MIGRATED);
    }
  };

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

  private static final class SqliteFiles {
    private static Path migrated;

    private SqliteFiles() {}

    static synchronized void copyTo(Path directory) {
      try {
        if (Files.exists(directory.resolve(SqliteFile.NAME))) {
          return;
        }
        if (migrated == null) {
          migrated = migrate();
        }
        DataDirectory.prepare(directory);
        try (Stream<Path> files = Files.list(migrated)) {
          for (Path file : files.toList()) {
            Files.copy(
                file,
                directory.resolve(file.getFileName().toString()),
                StandardCopyOption.COPY_ATTRIBUTES);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static Path migrate() throws IOException {
      Path directory = Files.createTempDirectory("countersign-migrated-");
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
      try (Database main = Database.open(StoreSettings.embedded(directory));
          Database requests = main.openBeside("requests")) {
        requests.dialect();
      }
      return directory;
    }
  }

  private static final class Server {
    static final String EMPTY = "template0";
    static final String MIGRATED = "migrated";

    // By directory, the names of the databases.
    private static final Map<Path, String> CREATED = new HashMap<>();
    private static PostgresqlServer running;

    private Server() {}

    static synchronized StoreSettings settings(Path directory, String template) {
      PostgresqlServer server = started();
      String name =
          CREATED.computeIfAbsent(
              directory.toAbsolutePath(), made -> create(server, "t" + CREATED.size(), template));
      return settings(server, directory, name);
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
      try {
        server.query("CREATE DATABASE " + name + " ENCODING 'UTF8' TEMPLATE " + template);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return name;
    }
  }
}
