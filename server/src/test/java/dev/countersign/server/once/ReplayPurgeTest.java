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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The time by which a purge is late, which a monitoring system watches. */
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
                        + " VALUES ('cl-a', 'digest', ?, ?, '')")
                .param(keptUntil)
                .param(keptUntil)
                .update());
  }
}
