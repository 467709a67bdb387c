package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.CompletedRequest.Evidence;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter.Outcome;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches and counts on both databases, compared with the same rows in memory. */
class RecordSearchTest {
  private static final Reason[] REASONS = {
    null, null, null, Reason.ROLE_MISSING, Reason.SIGNATURE_MISMATCH, Reason.CLIENT_UNKNOWN
  };
  private static final String[] PATHS = {
    "/ledger/v1/wallets", "/ledger/v1/wallets/7", "/ledger/v2/wallets", "/\u00e9\uD83D\uDE00", "/%"
  };

  private static final int FILTERS = Boolean.getBoolean("countersign.full") ? 300 : 30;

  @TempDir private Path folder;
  private final Random random = new Random(11);
  private final RecordIds ids = new RecordIds(new Random(3));

  @ParameterizedTest
  @EnumSource
  void search_anyFilter_findsWhatAFilterInMemoryFinds(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, mixed(3_000));
      RequestRecordStore records = records(database);
      List<RequestRecord> all = everything(records, RequestFilter.ALL, 1_000);
      assertThat(all).hasSize(3_000);
      assertThat(all.stream().map(RequestRecord::id).toList())
          .isSortedAccordingTo(Collections.reverseOrder());
      for (int i = 0; i < FILTERS; i++) {
        RequestFilter filter = randomFilter();
        List<RequestRecord> expected = all.stream().filter(matches(filter)).toList();
        assertThat(everything(records, filter, 1 + random.nextInt(100)))
            .as("%s", filter)
            .isEqualTo(expected);
        long after = random.nextBoolean() ? 0 : all.get(random.nextInt(all.size())).id();
        long before = random.nextBoolean() ? Long.MAX_VALUE : all.get(random.nextInt(1_000)).id();
        assertThat(records.count(filter, after, before))
            .as("%s after %s and before %s", filter, after, before)
            .isEqualTo(
                expected.stream().filter(row -> row.id() > after && row.id() < before).count());
        assertThat(everythingNewer(records, after, filter, 1 + random.nextInt(100)))
            .as("%s after %s", filter, after)
            .isEqualTo(expected.stream().filter(row -> row.id() > after).toList());
      }
      assertThat(records.count(RequestFilter.ALL, Long.MAX_VALUE, Long.MAX_VALUE)).isZero();
      assertThat(records.count(RequestFilter.ALL, Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(3_000);
      long most =
          database.read(
              sql -> new RecordSearch(sql, RequestFilter.ALL).count(0, Long.MAX_VALUE, 100));
      assertThat(most).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void search_oneRowFarBack_saysHowFarItCameUntilItIsThere(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      Instant start = CompletedRequests.NOON;
      List<CompletedRequest> requests = new ArrayList<>();
      requests.add(
          CompletedRequests.request(start, TrustLevel.VERIFIED, "cl-rare", "/a", Reason.NOT_FOUND));
      for (int i = 1; i <= 45_000; i++) {
        boolean even = i % 2 == 0;
        Reason reason = even ? Reason.NOT_FOUND : null;
        requests.add(
            CompletedRequests.request(
                start.plusMillis(i),
                TrustLevel.VERIFIED,
                i == 19_999 ? "cl-edge" : even ? "cl-a" : "cl-b",
                "/",
                reason));
      }
      insert(database, requests);
      RequestRecordStore records = records(database);
      RequestFilter none =
          RequestFilter.ALL.withClientId("cl-b").withReason(Reason.NOT_FOUND).withPathPrefix("/");
      RecordSearchResult page = records.search(none, null, 50);
      assertThat(page.requests()).isEmpty();
      assertThat(page.next()).isPositive();
      assertThat(page.searchedBackTo()).isBetween(start, start.plusMillis(45_000));
      assertThat(everything(records, none, 50)).isEmpty();

      assertThat(records.search(RequestFilter.ALL.withClientId("cl-rare"), null, 50).requests())
          .hasSize(1);
      assertThat(
              records.search(
                  RequestFilter.ALL.withPathPrefix("/a").withReason(Reason.NOT_FOUND), null, 50))
          .satisfies(found -> assertThat(found.requests()).hasSize(1))
          .satisfies(found -> assertThat(found.next()).isNull());

      // The search for newer ones reads 20,000 rows; this is the last of them.
      RequestFilter edge = RequestFilter.ALL.withClientId("cl-edge");
      assertThat(everythingNewer(records, 0, edge, 50)).hasSize(1);
      RequestFilter period = none.between(start.plusMillis(5_000), start.plusMillis(25_001));
      RecordSearchResult newer = records.newer(0, period, 50);
      assertThat(newer.next()).isNotNull();
      assertThat(RecordIds.timeOf(newer.next())).isEqualTo(start.plusMillis(24_999));
      assertThat(records.newer(newer.next(), period, 50).next()).as("to the end").isNull();
    }
  }

  /** The checks in records of a newer release with another check are not guessed. */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void find_checksThatAreNotKnown_areUnknown(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(
          database,
          List.of(
              CompletedRequests.refused(
                  CompletedRequests.NOON, TrustLevel.ANONYMOUS, Reason.REPLAYED)));
      RequestRecordStore records = records(database);
      assertThat(checks(records)).isEqualTo(new CheckProgress(null, null));
      for (String columns : List.of("passed = 'newer'", "passed = '', refused_by = 'newer'")) {
        database.write(sql -> sql.sql("UPDATE request_records SET " + columns).update());
        assertThat(checks(records)).as(columns).isNull();
      }
    }
  }

  private static @Nullable CheckProgress checks(RequestRecordStore records) {
    return records.find(records.latest()).orElseThrow().request().checks();
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void find_rowWithAllTexts_givesThemBack(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      CompletedRequest request =
          new CompletedRequest(
              "id",
              CompletedRequests.NOON.plusNanos(123_456_789),
              Duration.ofNanos(1_234_567),
              "GET",
              "/a\u0000b?<script>\uD800",
              401,
              Reason.COMPONENTS_WRONG,
              "detail '; DROP TABLE request_records; --",
              new CheckProgress(Check.FIELDS, Check.PROFILE),
              "cl-a",
              null,
              TrustLevel.CLAIMED,
              "2001:db8::1",
              null,
              new Evidence("(\"a\")", "(\"b\")", "base\nline"));
      insert(database, List.of(request));
      RequestRecordStore records = records(database);
      RequestDetails found = records.find(records.latest()).orElseThrow();
      assertThat(found.target()).isEqualTo("/a\uFFFDb?<script>\uFFFD");
      assertThat(found.request().path()).isEqualTo("/a\uFFFDb");
      assertThat(found.request().duration()).isEqualTo(Duration.ofNanos(1_234_000));
      assertThat(found.request().time()).isEqualTo(CompletedRequests.NOON.plusMillis(123));
      assertThat(found.detail()).isEqualTo(request.detail());
      assertThat(found.request().checks()).isEqualTo(request.checks());
      assertThat(found.expected()).isEqualTo("(\"a\")");
      assertThat(found.received()).isEqualTo("(\"b\")");
      assertThat(found.signatureBase()).isEqualTo("base\nline");
      assertThat(found.keyFingerprint()).isNull();
      assertThat(records.find(records.latest() + 1)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void search_besideSeveralWriters_findsAgainWhatItFound_andInTheEndEachRequestOnce(TestStore store)
      throws Exception {
    try (Database main = store.open(folder);
        Database one = main.openBeside("requests");
        Database two = main.openBeside("requests")) {
      var writers =
          CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> insertBatches(one, 60, ids)),
              CompletableFuture.runAsync(
                  () -> insertBatches(two, 60, new RecordIds(new Random(4)))));
      RequestRecordStore records = records(one);
      RequestFilter latest =
          RequestFilter.ALL
              .withOutcome(Outcome.REFUSED)
              .between(CompletedRequests.NOON.minusSeconds(30), null);
      List<RequestRecord> found = List.of();
      boolean last = false;
      while (!last) {
        last = writers.isDone();
        List<RequestRecord> again = everything(records, latest, 1_000);
        assertThat(again).doesNotHaveDuplicates().containsAll(found);
        found = again;
      }
      Waits.forResult(writers);
      assertThat(found).hasSize(2 * 60 * 25);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void search_textThatNoDatabaseKeeps_findsAsItWasKept(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      String odd = "a\0b\uD83D";
      insert(
          database,
          List.of(
              CompletedRequests.request(
                  CompletedRequests.NOON, TrustLevel.CLAIMED, odd, "/" + odd, null)));
      RequestRecordStore records = records(database);
      RequestFilter byClient = RequestFilter.ALL.withClientId(odd);
      assertThat(everything(records, byClient, 10)).hasSize(1);
      assertThat(records.count(byClient, 0, Long.MAX_VALUE)).isEqualTo(1);
      assertThat(everything(records, RequestFilter.ALL.withPathPrefix("/" + odd), 10)).hasSize(1);
      assertThat(everything(records, RequestFilter.ALL.withClientId("a\0"), 10)).isEmpty();
    }
  }

  private static void insertBatches(Database database, int batches, RecordIds ids) {
    for (int i = 0; i < batches; i++) {
      List<CompletedRequest> batch =
          Collections.nCopies(
              25,
              CompletedRequests.refused(
                  CompletedRequests.NOON, TrustLevel.ANONYMOUS, Reason.CLIENT_UNKNOWN));
      database.write(
          sql -> {
            new RecordRows(sql).insert(batch, ids);
            return batch;
          });
    }
  }

  static RequestRecordStore records(Database database) {
    return new RequestRecordStore(
        database,
        new RecordWriter(
            new RationedQueues(10, 10, System::nanoTime), database, new RecordIds(new Random(3))));
  }

  private void insert(Database database, List<CompletedRequest> requests) {
    insert(database, requests, ids);
  }

  static void insert(Database database, List<CompletedRequest> requests, RecordIds ids) {
    for (int i = 0; i < requests.size(); i += 500) {
      List<CompletedRequest> batch = requests.subList(i, Math.min(requests.size(), i + 500));
      database.write(
          sql -> {
            new RecordRows(sql).insert(batch, ids);
            return batch;
          });
    }
  }

  private static List<RequestRecord> everything(
      RequestRecordStore records, RequestFilter filter, int limit) {
    List<RequestRecord> all = new ArrayList<>();
    Long before = null;
    do {
      RecordSearchResult page = records.search(filter, before, limit);
      assertThat(page.requests()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.requests());
      before = page.next();
    } while (before != null);
    return all;
  }

  private static List<RequestRecord> everythingNewer(
      RequestRecordStore records, long after, RequestFilter filter, int limit) {
    List<RequestRecord> all = new ArrayList<>();
    Long next = after;
    do {
      RecordSearchResult page = records.newer(next, filter, limit);
      assertThat(page.requests()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(0, page.requests());
      next = page.next();
    } while (next != null);
    return all;
  }

  private List<CompletedRequest> mixed(int count) {
    List<CompletedRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(
          CompletedRequests.request(
              // The clocks of nodes differ, and rows wait, so the order is not exact.
              CompletedRequests.NOON.plusSeconds(i).plusMillis(random.nextInt(60_000)),
              TrustLevel.values()[random.nextInt(3)],
              random.nextInt(4) == 0 ? null : "cl-" + random.nextInt(5),
              PATHS[random.nextInt(PATHS.length)],
              REASONS[random.nextInt(REASONS.length)]));
    }
    return requests;
  }

  private RequestFilter randomFilter() {
    Instant from = CompletedRequests.NOON.plusSeconds(random.nextInt(3_000));
    return new RequestFilter(
        random.nextInt(3) == 0 ? "cl-" + random.nextInt(6) : null,
        random.nextInt(4) == 0 ? Outcome.values()[random.nextInt(2)] : null,
        random.nextInt(4) == 0 ? REASONS[random.nextInt(REASONS.length)] : null,
        random.nextInt(4) == 0 ? List.of(200, 401, 403, 500).get(random.nextInt(4)) : null,
        random.nextInt(3) == 0
            ? List.of("/ledger", "/", "/\u00e9", "/%", "/x").get(random.nextInt(5))
            : null,
        random.nextInt(4) == 0 ? TrustLevel.values()[random.nextInt(3)] : null,
        random.nextInt(3) == 0 ? from : null,
        random.nextInt(3) == 0 ? from.plusSeconds(random.nextInt(900)) : null);
  }

  private static Predicate<RequestRecord> matches(RequestFilter filter) {
    return row ->
        (filter.clientId() == null || filter.clientId().equals(row.clientId()))
            && (filter.outcome() == null
                || (filter.outcome() == Outcome.REFUSED) == (row.reason() != null))
            && (filter.reason() == null || filter.reason() == row.reason())
            && (filter.status() == null || filter.status() == row.status())
            && (filter.pathPrefix() == null || row.path().startsWith(filter.pathPrefix()))
            && (filter.trust() == null || filter.trust() == row.trust())
            && (filter.from() == null || !row.time().isBefore(filter.from()))
            && (filter.to() == null || row.time().isBefore(filter.to()));
  }
}
