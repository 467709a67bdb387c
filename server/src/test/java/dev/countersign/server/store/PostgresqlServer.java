package dev.countersign.server.store;

import dev.countersign.testing.Waits;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server with its own port, which a test can stop, crash and start again.
 *
 * <p>Design note: PostgreSQL cannot choose its port. A socket that does not listen holds the port
 * until {@link #close}, so that no other program gets it. PostgreSQL may listen on it nevertheless,
 * because both set SO_REUSEADDR.
 */
public final class PostgresqlServer implements AutoCloseable {
  private static final Duration STARTING = Waits.LIMIT.multipliedBy(3);
  private static final Duration STOPPING = Waits.LIMIT.multipliedBy(2);

  private final Socket port = new Socket();
  private final @Nullable Path data;
  private EmbeddedPostgres running;

  private PostgresqlServer(@Nullable Path data) throws IOException {
    this.data = data;
    try {
      port.setReuseAddress(true);
      port.bind(new InetSocketAddress(0));
      running = started();
    } catch (IOException | RuntimeException e) {
      port.close();
      throw e;
    }
  }

  /** Starts a server whose data is in a directory, which {@link #close} leaves. */
  public static PostgresqlServer start(Path data) throws IOException {
    return new PostgresqlServer(data);
  }

  /** Starts a server whose data is deleted in the end. It loses commits in a crash. */
  static PostgresqlServer startTemporary() throws IOException {
    return new PostgresqlServer(null);
  }

  private EmbeddedPostgres started() throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder().setPort(port()).setPGStartupWait(STARTING);
    if (data == null) {
      // Nothing here has to survive, and a vacuum of hundreds of databases takes time.
      builder
          .setServerConfig("fsync", "off")
          .setServerConfig("full_page_writes", "off")
          .setServerConfig("autovacuum", "off");
    } else {
      builder
          .setDataDirectory(data)
          .setCleanDataDirectory(false)
          // The library's default would lose the last commits in a crash.
          .setServerConfig("synchronous_commit", "on");
    }
    EmbeddedPostgres server = builder.start();
    // The library returns a server that is not ready if its thread is interrupted.
    if (Thread.currentThread().isInterrupted()) {
      server.close();
      throw new IOException("interrupted while PostgreSQL started");
    }
    return server;
  }

  public int port() {
    return port.getLocalPort();
  }

  /** Returns the URL of a database, without parameters. */
  public String url(String database) {
    return "jdbc:postgresql://localhost:" + port() + "/" + database;
  }

  /** Runs a statement; returns the first value of its result, or an empty text. */
  public String query(String sql) throws SQLException {
    try (Connection connection = running.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? row.getString(1) : "";
      }
    }
  }

  /**
   * Stops the server and waits for its end. Closing alone waits at most five seconds, but the next
   * server can start only after this one has ended.
   */
  public void stop() throws IOException {
    running.close();
    Awaitility.await().atMost(STOPPING).until(() -> Files.notExists(processFile()));
  }

  /** Starts the server again, on the same port, after {@link #stop}. */
  public void startAgain() throws IOException {
    running = started();
  }

  /** Ends the server like a crash (SIGQUIT, immediate shutdown) and starts it again. */
  public void crash() throws IOException {
    String pid = Files.readAllLines(processFile()).get(0).strip();
    try {
      ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
      int sent = Waits.forExit(new ProcessBuilder("kill", "-QUIT", pid).start());
      if (sent != 0) {
        throw new IOException("process " + pid + " cannot be killed");
      }
      Waits.forResult(server.onExit());
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
    // Releases the lock of the directory; there is nothing left to stop.
    running.close();
    startAgain();
  }

  private Path processFile() {
    if (data == null) {
      throw new IllegalStateException("a temporary server cannot be started again");
    }
    return data.resolve("postmaster.pid");
  }

  @Override
  public void close() throws IOException {
    running.close();
    port.close();
  }
}
