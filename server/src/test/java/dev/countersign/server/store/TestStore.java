package dev.countersign.server.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/**
 * Both databases, for tests that run on either. One PostgreSQL serves all tests of a run. If it
 * cannot start, its tests are skipped, but they fail in continuous integration, which sets {@code
 * CI}.
 */
public enum TestStore {
  SQLITE {
    @Override
    public StoreSettings settings(Path directory) {
      return StoreSettings.embedded(directory);
    }
  },
  POSTGRESQL {
    @Override
    public StoreSettings settings(Path directory) {
      return new StoreSettings(
          directory, Server.database(directory), "postgres", null, StoreSettings.SCHEMA);
    }
  };

  /** The settings of a database that belongs to this directory; the same one for each call. */
  public abstract StoreSettings settings(Path directory);

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
    // By directory, the names of the databases.
    private static final Map<Path, String> CREATED = new HashMap<>();
    private static PostgresqlServer running;

    private Server() {}

    static synchronized String database(Path directory) {
      PostgresqlServer server = started();
      return server.url(
          CREATED.computeIfAbsent(directory.toAbsolutePath(), made -> create(server)));
    }

    /** Starts the server, unless it runs. After a failure, the next test tries again. */
    private static PostgresqlServer started() {
      if (running == null) {
        try {
          running = PostgresqlServer.startTemporary();
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

    private static String create(PostgresqlServer server) {
      String name = "t" + CREATED.size();
      try {
        server.query("CREATE DATABASE " + name + " ENCODING 'UTF8' TEMPLATE template0");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return name;
    }
  }
}
