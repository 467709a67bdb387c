package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.testing.TcpProxy;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The waits of a start, with a server that is slow to answer. */
class PostgresqlStartTest {
  // Longer than a registry or a request waits for PostgreSQL in a running service.
  private static final Duration SILENCE = Duration.ofSeconds(5);

  @TempDir private Path directory;
  private TcpProxy proxy;
  private StoreSettings settings;

  @BeforeEach
  void connectThroughAProxy() {
    StoreSettings direct = TestStore.POSTGRESQL.settings(directory);
    int port = Integer.parseInt(direct.url().replaceAll(".*:(\\d+)/.*", "$1"));
    proxy = TcpProxy.to(port);
    settings =
        new StoreSettings(
            directory,
            direct.url().replace(":" + port + "/", ":" + proxy.port() + "/"),
            direct.user(),
            null,
            direct.schema());
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void start_onASlowServer_waits() throws Exception {
    proxy.silence();
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Integer> read =
          threads.submit(
              () -> {
                try (Database database = Database.openForStart(settings)) {
                  int one = one(database);
                  proxy.silence();
                  Thread.ofVirtual().start(this::resumeLater);
                  return one + one(database.control());
                }
              });
      resumeLater();
      assertThat(Waits.forResult(read)).isEqualTo(2);
    }
  }

  /** A primary that is frozen accepts connections, and says nothing. */
  @Test
  void silentHost_beforeAnotherOne_isPassedOver() {
    String direct = TestStore.POSTGRESQL.settings(directory).url();
    String both = direct.replaceFirst("//", "//127.0.0.1:" + proxy.port() + ",");
    proxy.silence();
    StoreSettings either =
        new StoreSettings(directory, both, settings.user(), null, settings.schema());
    try (Database database = Database.open(either)) {
      assertThat(one(database)).isEqualTo(1);
      assertThat(one(database.control())).as("while serving, within its 4 s").isEqualTo(1);
    }
    proxy.resume();
  }

  /** The short limit of a login must not hold for what follows. */
  @Test
  void statementAndCommit_thatTakeLongerThanALogin_pass() throws Exception {
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE TABLE public.slow (n int)",
        "CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM pg_sleep(4); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON public.slow DEFERRABLE INITIALLY"
            + " DEFERRED FOR EACH ROW EXECUTE FUNCTION public.wait()");
    try (Database database = Database.open(settings, Waits.LIMIT)) {
      assertThat(
              database.<Integer>read(
                  sql -> sql.sql("SELECT 1 FROM pg_sleep(4)").query(Integer.class).single()))
          .isEqualTo(1);
      assertThat(
              database.<Integer>write(
                  sql -> sql.sql("INSERT INTO public.slow VALUES (1)").update()))
          .isEqualTo(1);
    }
  }

  @Test
  void otherThread_whileTheServiceStarts_hasTheUsualLimit() throws Exception {
    try (Database database = Database.openForStart(settings);
        TestThreads threads = TestThreads.of(1)) {
      proxy.silence();
      Future<Integer> read = threads.submit(() -> one(database.control()));
      assertThatThrownBy(() -> Waits.forResult(read))
          .hasCauseInstanceOf(StoreUnavailableException.class);
      proxy.resume();
    }
  }

  @Test
  void startedService_hasTheUsualLimit() {
    try (Database database = Database.openForStart(settings)) {
      database.startCompleted();
      proxy.silence();
      assertThatThrownBy(() -> one(database.control()))
          .isInstanceOf(StoreUnavailableException.class);
      proxy.resume();
    }
  }

  @Test
  void start_onAServerThatRefusesNow_endsWithItsReason() {
    try (Database database = Database.openForStart(settings)) {
      proxy.close();
      assertThatThrownBy(() -> one(database.control()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("provides no connection")
          .hasRootCauseInstanceOf(ConnectException.class);
    }
  }

  @Test
  void start_readOfTheOperatorsTables_keepsTheUsualLimit() {
    try (Database database = Database.openForStart(settings)) {
      assertThat(database.<Integer>read(PostgresqlStartTest::limitMillis)).isGreaterThan(10_000);
      assertThat(database.<Integer>readTables(PostgresqlStartTest::limitMillis))
          .isBetween(1, 9_999);
    }
  }

  private static int limitMillis(JdbcClient sql) {
    return sql.sql(
            "SELECT setting::int FROM pg_catalog.pg_settings WHERE name = 'statement_timeout'")
        .query(Integer.class)
        .single();
  }

  private static int one(Database database) {
    return database.read(PostgresqlStartTest::one);
  }

  private static int one(JdbcClient sql) {
    return sql.sql("SELECT 1").query(Integer.class).single();
  }

  private void resumeLater() {
    try {
      Thread.sleep(SILENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    proxy.resume();
  }
}
