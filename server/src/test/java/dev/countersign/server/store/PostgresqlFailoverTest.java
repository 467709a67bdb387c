package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary with a standby: what is committed, and who is found after a promotion. */
@Tag("full")
class PostgresqlFailoverTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void promotion_isFoundWithoutARestart_behindAStandbyInTheUrl() throws Exception {
    int primaryPort = FreePort.find();
    int standbyPort = FreePort.find();
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    stop(start(first, primaryPort), first);
    copyAsStandby(first, second, primaryPort);
    try (EmbeddedPostgres primary = start(first, primaryPort);
        EmbeddedPostgres standby = start(second, standbyPort);
        Database database = Database.open(settings(standbyPort, primaryPort))) {
      assertThat(add(database, "before")).isEqualTo(1);
      await(() -> names(standby).equals(List.of("before")));
      List<Database> views = List.of(database, database.control(), database.forClient("a"));
      views.forEach(view -> assertThat(count(view)).isEqualTo(1));

      stop(primary, first);
      assertThatThrownBy(() -> add(database, "lost")).isInstanceOf(StoreUnavailableException.class);
      query(standby, "SELECT pg_promote()");
      await(() -> add(database, "after") == 1);
      for (Database view : views) {
        await(() -> count(view) == 2);
      }
      assertThat(names(standby)).containsExactly("after", "before");
    }
  }

  @Test
  void commit_withoutItsSynchronousStandby_isNotReportedAsMade() throws Exception {
    int port = FreePort.find();
    try (EmbeddedPostgres alone = start(folder.resolve("alone"), port);
        Database database = Database.open(settings(port), Duration.ofSeconds(3))) {
      assertThat(add(database, "before")).isEqualTo(1);
      query(alone, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      query(alone, "SELECT pg_reload_conf()");
      await(() -> query(alone, "SHOW synchronous_standby_names").equals("nobody"));
      long begin = System.nanoTime();
      assertThatThrownBy(() -> add(database, "unknown"))
          .isInstanceOf(StoreUnavailableException.CommitUnknown.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(9));
    }
  }

  private StoreSettings settings(int... ports) {
    StringBuilder hosts = new StringBuilder();
    for (int port : ports) {
      hosts.append(hosts.isEmpty() ? "" : ",").append("127.0.0.1:").append(port);
    }
    return new StoreSettings(
        folder,
        "jdbc:postgresql://" + hosts + "/postgres?targetServerType=primary",
        "postgres",
        null,
        StoreSettings.SCHEMA);
  }

  private static EmbeddedPostgres start(Path data, int port) throws IOException {
    return EmbeddedPostgres.builder()
        .setPort(port)
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setServerConfig("synchronous_commit", "on")
        .setPGStartupWait(Duration.ofMinutes(3))
        .start();
  }

  /** Stops the server and waits for its end, which closing does for five seconds only. */
  private static void stop(EmbeddedPostgres server, Path data) throws IOException {
    server.close();
    await(() -> Files.notExists(data.resolve("postmaster.pid")));
  }

  private static void copyAsStandby(Path primary, Path standby, int primaryPort) throws Exception {
    Process copy =
        new ProcessBuilder("cp", "-a", primary.toString(), standby.toString()).inheritIO().start();
    assertThat(copy.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(copy.exitValue()).isZero();
    Files.createFile(standby.resolve("standby.signal"));
    Files.writeString(
        standby.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=" + primaryPort + " user=postgres'\n",
        StandardOpenOption.APPEND);
  }

  private static int add(Database database, String name) {
    return database.write(
        sql ->
            sql.sql(
                    "INSERT INTO wallets (id, name, currency_code, status, created_at)"
                        + " VALUES (gen_random_uuid(), ?, 'EUR', 'ACTIVE', now())")
                .param(name)
                .update());
  }

  private static long count(Database database) {
    return database.read(sql -> sql.sql("SELECT count(*) FROM wallets").query(Long.class).single());
  }

  private static List<String> names(EmbeddedPostgres server) throws SQLException {
    return List.of(
        query(
                server,
                "SELECT coalesce(string_agg(name, ',' ORDER BY name), '')"
                    + " FROM countersign.wallets")
            .split(",", -1));
  }

  private static String query(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(condition);
  }
}
