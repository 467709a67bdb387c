package dev.countersign.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.store.purge.Purge;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows that a purge deletes, and how late it is, which a monitoring system watches. */
class ReplayPurgeTest {
  private static final long LATE = 500;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void overdue_growsWhileThePurgeFails(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayPurge failing =
          purge(
              database,
              () -> {
                throw new IllegalStateException("a purge that fails");
              });
      assertThat(failing.overdueSeconds()).as("before the first run").isZero();
      assertThatThrownBy(() -> failing.run(() -> false)).hasMessage("a purge that fails");
      assertThat(failing.overdueSeconds()).as("without claims").isZero();

      insertClaim(database, Instant.now().getEpochSecond() - LATE);
      assertThatThrownBy(() -> failing.run(() -> false)).hasMessage("a purge that fails");
      assertThat(failing.overdueSeconds()).isGreaterThanOrEqualTo(LATE);

      ReplayPurge working = purge(database, () -> true);
      assertThat(working.run(() -> false)).isEqualTo(1);
      assertThat(working.overdueSeconds()).isZero();
    }
  }

  @Test
  void run_commitFailsOnce_deletesTheWholeBatchAgain() throws Exception {
    TestStore.POSTGRESQL.run(
        folder,
        "CREATE SEQUENCE public.commits",
        """
        CREATE FUNCTION public.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('public.commits') = 1 THEN -- a rollback does not undo it
            RAISE 'conflict' USING ERRCODE = '40001';
          END IF;
          RETURN NULL;
        END $$\
        """,
        "CREATE CONSTRAINT TRIGGER fail_once AFTER UPDATE ON countersign.replay_floor"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.fail_once()");
    try (Database database = TestStore.POSTGRESQL.open(folder)) {
      long now = Instant.now().getEpochSecond();
      insertClaim(database, now - LATE);
      insertClaim(database, now - LATE - 1);

      assertThat(purge(database, () -> true).run(() -> false)).isEqualTo(2);
      assertThat(
              database.<Long>read(
                  sql ->
                      sql.sql("SELECT last_value FROM public.commits").query(Long.class).single()))
          .as("the first commit has failed")
          .isEqualTo(2);
    }
  }

  private static ReplayPurge purge(Database database, BooleanSupplier isFit) {
    return new ReplayPurge(
        database,
        new Purge(database, Purge.Lease.withRandomNode("claims"), isFit, Clock.systemUTC()),
        Clock.systemUTC());
  }

  private static void insertClaim(Database database, long keptUntil) {
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO replay_claims (client_id, digest, kept_until, created, attempt)"
                        + " VALUES ('cl-a', ?, ?, ?, '')")
                .param("digest " + keptUntil)
                .param(keptUntil)
                .param(keptUntil)
                .update());
  }
}
