package dev.countersign.server.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.server.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

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
    private static final Set<String> CREATED = new HashSet<>();
    private static EmbeddedPostgres server;
    private static String failure;

    private Server() {}

    static synchronized String database(Path directory) {
      start();
      if (server == null && System.getenv("CI") != null) {
        throw new IllegalStateException("PostgreSQL cannot start here: " + failure);
      }
      assumeTrue(server != null, () -> "PostgreSQL cannot start here: " + failure);
      String name = "t" + Integer.toHexString(directory.toAbsolutePath().toString().hashCode());
      if (CREATED.add(name)) {
        create(name);
      }
      return server.getJdbcUrl("postgres", name).replaceAll("[?].*", "");
    }

    private static void start() {
      if (server == null && failure == null) {
        try {
          server =
              EmbeddedPostgres.builder()
                  .setPort(FreePort.find())
                  .setPGStartupWait(Duration.ofMinutes(3))
                  .start();
        } catch (IOException | RuntimeException e) {
          failure = e.toString();
        }
      }
    }

    private static void create(String name) {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name + " ENCODING 'UTF8' TEMPLATE template0");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
