package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.clients.ClientSearch;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class KeyUsesTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void lastUse_isTheLatestOfAllNodes(TestStore store) {
    try (Database database = store.open(folder)) {
      KeyUses one = new KeyUses(database, clock);
      KeyUses two = new KeyUses(database, clock);
      Instant early = clock.instant();
      Instant late = early.plusSeconds(40);
      one.note(CompletedRequests.accepted(late, "cl-a"));
      one.note(CompletedRequests.accepted(early, "cl-a"));
      one.flush();
      two.note(CompletedRequests.accepted(early, "cl-a"));
      two.note(CompletedRequests.accepted(early, "cl-b"));
      two.flush();
      ClientSearch found = new ClientSearch(database, clock);
      assertThat(found.lastUses("cl-a")).isEqualTo(Map.of("SHA256:cl-a", late));
      assertThat(found.lastUses("cl-b")).isEqualTo(Map.of("SHA256:cl-b", early));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void use_countsVerifiedRequestsAlone(TestStore store) {
    try (Database database = store.open(folder)) {
      KeyUses uses = new KeyUses(database, clock);
      uses.note(
          CompletedRequests.refused(
              clock.instant(), TrustLevel.CLAIMED, Reason.SIGNATURE_MISMATCH));
      uses.note(
          CompletedRequests.refused(clock.instant(), TrustLevel.ANONYMOUS, Reason.CLIENT_UNKNOWN));
      uses.flush();
      assertThat(new ClientSearch(database, clock).lastUses("cl-a")).isEmpty();
      uses.note(
          CompletedRequests.refused(clock.instant(), TrustLevel.VERIFIED, Reason.ROLE_MISSING));
      uses.flush();
      assertThat(new ClientSearch(database, clock).lastUses("cl-a"))
          .containsOnlyKeys("SHA256:cl-a");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void flush_afterAFailure_writesTheUseAfterAll(TestStore store) {
    try (Database database = store.open(folder)) {
      KeyUses uses = new KeyUses(database, clock);
      execute(database, "ALTER TABLE client_key_uses RENAME TO elsewhere");
      uses.note(CompletedRequests.accepted(clock.instant(), "cl-a"));
      clock.advance(Duration.ofHours(1));
      uses.flush();
      execute(database, "ALTER TABLE elsewhere RENAME TO client_key_uses");
      uses.flush();
      assertThat(new ClientSearch(database, clock).lastUses("cl-a"))
          .containsOnlyKeys("SHA256:cl-a");
    }
  }

  private static void execute(Database database, String statement) {
    database.write(sql -> sql.sql(statement).update());
  }
}
