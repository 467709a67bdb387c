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
  private static final Duration START_TIMEOUT = Waits.LIMIT.multipliedBy(3);
  private static final Duration STOP_TIMEOUT = Waits.LIMIT.multipliedBy(2);

  private final Socket portReservation = new Socket();
  // Null for a temporary server.
  private final @Nullable Path data;
  private EmbeddedPostgres postgres;

  private PostgresqlServer(@Nullable Path data) throws IOException {
    this.data = data;
    try {
      portReservation.setReuseAddress(true);
      portReservation.bind(new InetSocketAddress(0));
      postgres = startPostgres();
    } catch (IOException | RuntimeException e) {
      portReservation.close();
      throw e;
    }
  }

  /** Starts a server with its data in this directory. {@link #close} does not delete the data. */
  public static PostgresqlServer start(Path data) throws IOException {
    return new PostgresqlServer(data);
  }

  /** Starts a server whose data {@link #close} deletes. It would lose commits in a crash. */
  static PostgresqlServer startTemporary() throws IOException {
    return new PostgresqlServer(null);
  }

  private EmbeddedPostgres startPostgres() throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder().setPort(port()).setPGStartupWait(START_TIMEOUT);
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
    // If the thread is interrupted, the library returns a server that is not ready yet.
    if (Thread.currentThread().isInterrupted()) {
      server.close();
      throw new IOException("interrupted while PostgreSQL started");
    }
    return server;
  }

  public int port() {
    return portReservation.getLocalPort();
  }

  /** Returns the URL of a database, without parameters. */
  public String url(String database) {
    return "jdbc:postgresql://localhost:" + port() + "/" + database;
  }

  /** Runs a statement. Returns the first value of its result; an empty text if it has none. */
  public String query(String sql) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
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
   * Stops the server and waits until its process has ended, so that {@link #startAgain} can start
   * the next one. The library itself waits at most five seconds.
   */
  public void stop() throws IOException {
    postgres.close();
    Awaitility.await().atMost(STOP_TIMEOUT).until(() -> Files.notExists(processFile()));
  }

  /** Starts the server again, on the same port, after {@link #stop}. */
  public void startAgain() throws IOException {
    postgres = startPostgres();
  }

  /** Ends the server as a crash would, by SIGQUIT (immediate shutdown), and starts it again. */
  public void crash() throws IOException {
    String pid = Files.readAllLines(processFile()).get(0).strip();
    try {
      ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
      int exitCode = Waits.forExit(new ProcessBuilder("kill", "-QUIT", pid).start());
      if (exitCode != 0) {
        throw new IOException("process " + pid + " cannot be killed");
      }
      Waits.forResult(server.onExit());
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
    // The process has ended. This releases the library's lock of the directory.
    postgres.close();
    startAgain();
  }

  private Path processFile() {
    if (data == null) {
      throw new IllegalStateException("a temporary server cannot be stopped or crashed");
    }
    return data.resolve("postmaster.pid");
  }

  @Override
  public void close() throws IOException {
    postgres.close();
    portReservation.close();
  }
}
