package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of several nodes in one database. */
class SeveralNodesTest {
  @TempDir private Path folder;
  private final RecordIds one = new RecordIds(new Random(3));
  private final RecordIds two = new RecordIds(new Random(4));

  @Test
  void batch_whileAnotherNodesIsOpen_commits() throws Exception {
    // The first transaction waits for all that the second node does.
    try (Database first = TestStore.POSTGRESQL.open(folder, Waits.LIMIT.multipliedBy(2));
        Database second = TestStore.POSTGRESQL.open(folder)) {
      RequestRecordStore records = RecordSearchTest.records(second);
      CountDownLatch written = new CountDownLatch(1);
      CountDownLatch mayCommit = new CountDownLatch(1);
      CompletableFuture<Void> held =
          CompletableFuture.runAsync(
              () ->
                  first.write(
                      sql -> {
                        new RecordRows(sql).insert(batch("cl-held", 3), one);
                        written.countDown();
                        await(mayCommit);
                        return sql;
                      }));
      await(written);

      second.write(
          sql -> {
            new RecordRows(sql).insert(batch("cl-free", 2), two);
            return sql;
          });
      List<RequestRecord> early = latest(records);
      assertThat(clients(early)).containsExactly("cl-free", "cl-free");
      mayCommit.countDown();
      Waits.forResult(held);

      List<RequestRecord> late = new ArrayList<>(latest(records));
      assertThat(late).hasSize(5).containsAll(early);
      late.removeAll(early);
      assertThat(clients(late)).as("written first, committed last").hasSize(3);
      assertThat(clients(late)).containsOnly("cl-held");
    }
  }

  /** The batches of two nodes are committed in turn, but their requests alternate in time. */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void rowsOfSeveralNodes_areFoundByTimeAndShownOnce(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      Instant time = CompletedRequests.NOON;
      List<CompletedRequest> ofOne = new ArrayList<>();
      List<CompletedRequest> ofTwo = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        ofOne.add(CompletedRequests.accepted(time.plusSeconds(10L * i), "cl-one"));
        ofTwo.add(CompletedRequests.accepted(time.plusSeconds(10L * i + 5), "cl-two"));
      }
      RequestRecordStore records = RecordSearchTest.records(database);
      RecordSearchTest.insert(database, ofOne, one);
      List<RequestRecord> before = everything(records, RequestFilter.ALL);
      RecordSearchTest.insert(database, ofTwo, two);

      assertThat(before).hasSize(600);
      assertThat(everything(records, RequestFilter.ALL)).hasSize(1_200).containsAll(before);
      for (int from = 0; from < 6_000; from += 700) {
        Instant start = time.plusSeconds(from);
        Instant end = start.plusSeconds(350);
        assertThat(everything(records, RequestFilter.ALL.between(start, end)))
            .as("from %s", from)
            .hasSize(70)
            .allSatisfy(row -> assertThat(row.time()).isBetween(start, end));
        assertThat(everything(records, RequestFilter.ALL.between(start, null)))
            .hasSize(2 * (600 - from / 10));
        assertThat(everything(records, RequestFilter.ALL.between(null, end)))
            .hasSize(2 * (from / 10 + 35));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void idThatAnotherNodeHasDrawn_isDrawnAgain(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      RecordSearchTest.insert(database, batch("cl-a", 5), new RecordIds(new Random(9)));
      // Begins with the same ids as the first one, and then continues with others.
      RationedQueues queues = new RationedQueues(100, 100, System::nanoTime);
      RecordWriter writer = new RecordWriter(queues, database, new RecordIds(new Random(9)));
      batch("cl-b", 5).forEach(queues::offer);

      assertThat(writer.flush()).isEqualTo(5);
      assertThat(everything(RecordSearchTest.records(database), RequestFilter.ALL)).hasSize(10);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void requestsThatDoNotFit_areCounted(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      RecordSearchTest.insert(database, batch("cl-a", 1_500), one);
      RecordSearchTest.insert(database, batch("cl-b", 700), two);
      RequestRecordStore records = RecordSearchTest.records(database);

      List<RequestRecord> newest = records.search(RequestFilter.ALL, null, 1_000).requests();
      assertThat(newest).hasSize(1_000);
      assertThat(records.count(RequestFilter.ALL, 0, newest.getLast().id())).isEqualTo(1_200);
      RequestFilter filter = RequestFilter.ALL.withClientId("cl-b");
      List<RequestRecord> filtered = records.search(filter, null, 1_000).requests();
      assertThat(filtered).hasSize(700);
      assertThat(records.count(filter, 0, filtered.getLast().id())).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void sendersOfVerifiedRequests_ofEachNode_areNamedOnce(TestStore store) {
    Instant since = CompletedRequests.NOON;
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      RecordSearchTest.insert(
          database,
          List.of(
              CompletedRequests.accepted(since.minusMillis(1), "cl-before"),
              CompletedRequests.accepted(since, "cl-one"),
              CompletedRequests.accepted(since.plusSeconds(1), "cl-one"),
              CompletedRequests.refused(
                  since.plusSeconds(2), TrustLevel.CLAIMED, Reason.SIGNATURE_MISMATCH),
              CompletedRequests.refused(
                  since.plusSeconds(2), TrustLevel.ANONYMOUS, Reason.CLIENT_UNKNOWN)),
          one);
      RecordSearchTest.insert(
          database, List.of(CompletedRequests.accepted(since.plusSeconds(3), "cl-two")), two);

      RecordRows.Sender first = new RecordRows.Sender("cl-one", "192.0.2.1");
      RecordRows.Sender second = new RecordRows.Sender("cl-two", "192.0.2.1");
      assertThat(senders(database, since, 100)).containsExactlyInAnyOrder(first, second);
      assertThat(senders(database, since, 1)).as("the newest").containsExactly(second);
      assertThat(senders(database, since.plusSeconds(4), 100)).isEmpty();
    }
  }

  private static List<RecordRows.Sender> senders(Database database, Instant since, int most) {
    return database.read(sql -> new RecordRows(sql).verifiedSenders(since, most));
  }

  private static List<RequestRecord> everything(RequestRecordStore records, RequestFilter filter) {
    List<RequestRecord> all = new ArrayList<>();
    Long before = null;
    do {
      RecordSearchResult page = records.search(filter, before, 37);
      all.addAll(page.requests());
      before = page.next();
    } while (before != null);
    assertThat(all).doesNotHaveDuplicates();
    return all;
  }

  private static List<CompletedRequest> batch(String clientId, int count) {
    return Collections.nCopies(
        count,
        CompletedRequests.request(
            CompletedRequests.NOON.plus(Duration.ofMillis(5)),
            TrustLevel.VERIFIED,
            clientId,
            "/",
            Reason.NOT_FOUND));
  }

  /** Reads like the poll of an open page. */
  private static List<RequestRecord> latest(RequestRecordStore records) {
    Instant start = CompletedRequests.NOON.minusSeconds(30);
    return records.search(RequestFilter.ALL.between(start, null), null, 100).requests();
  }

  private static List<String> clients(List<RequestRecord> requests) {
    return requests.stream().map(RequestRecord::clientId).toList();
  }

  private static void await(CountDownLatch latch) {
    try {
      Waits.forLatch(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
