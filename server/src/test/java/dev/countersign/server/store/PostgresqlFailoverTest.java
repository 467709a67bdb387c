package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.countersign.testing.Waits;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary with a standby: what is committed, and who is found after a promotion. */
@Tag("full")
class PostgresqlFailoverTest {
  /** A limit that nothing reaches. */
  private static final Duration AMPLE = Waits.LIMIT;

  @TempDir private Path folder;

  @Test
  void promotion_isFoundWithoutARestart_behindAStandbyInTheUrl() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    try (PostgresqlServer primary = PostgresqlServer.start(first)) {
      primary.stop();
      copyAsStandby(first, second, primary);
      primary.startAgain();
      try (PostgresqlServer standby = PostgresqlServer.start(second);
          Database database = Database.open(settings(standby, primary), AMPLE)) {
        assertThat(add(database, "before")).isEqualTo(1);
        await(() -> names(standby).equals(List.of("before")));
        List<Database> views =
            List.of(database, database.control(), database.forClient("a", new RequestTime()));
        views.forEach(view -> assertThat(count(view)).isEqualTo(1));

        primary.stop();
        assertThatThrownBy(() -> add(database, "lost"))
            .isInstanceOf(StoreUnavailableException.class);
        standby.query("SELECT pg_promote()");
        await(() -> add(database, "after") == 1);
        for (Database view : views) {
          await(() -> count(view) == 2);
        }
        assertThat(names(standby)).containsExactly("after", "before");
      }
    }
  }

  @Test
  void commit_withoutItsSynchronousStandby_isNotReportedAsMade() throws Exception {
    try (PostgresqlServer alone = PostgresqlServer.start(folder.resolve("alone"))) {
      Database.open(settings(alone)).close();
      alone.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      alone.query("SELECT pg_reload_conf()");
      await(() -> alone.query("SHOW synchronous_standby_names").equals("nobody"));
      try (Database database = Database.open(settings(alone), Duration.ofSeconds(3))) {
        assertThat(catchThrowable(() -> add(database, "unknown")))
            .isInstanceOf(StoreUnavailableException.CommitUnknown.class)
            // The limit of the transaction ended it, and not the longer one of the driver.
            .rootCause()
            .isNotInstanceOf(SocketTimeoutException.class);
      }
    }
  }

  private StoreSettings settings(PostgresqlServer... servers) {
    String hosts =
        Arrays.stream(servers)
            .map(server -> "127.0.0.1:" + server.port())
            .collect(Collectors.joining(","));
    return new StoreSettings(
        folder,
        "jdbc:postgresql://" + hosts + "/postgres?targetServerType=primary",
        "postgres",
        null,
        StoreSettings.SCHEMA);
  }

  private static void copyAsStandby(Path data, Path standby, PostgresqlServer primary)
      throws Exception {
    Process copy =
        new ProcessBuilder("cp", "-a", data.toString(), standby.toString()).inheritIO().start();
    assertThat(Waits.forExit(copy)).isZero();
    Files.createFile(standby.resolve("standby.signal"));
    Files.writeString(
        standby.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=postgres'\n",
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

  private static List<String> names(PostgresqlServer server) throws SQLException {
    return List.of(
        server
            .query(
                "SELECT coalesce(string_agg(name, ',' ORDER BY name), '')"
                    + " FROM countersign.wallets")
            .split(",", -1));
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Waits.LIMIT.multipliedBy(2)).ignoreExceptions().until(condition);
  }
}
