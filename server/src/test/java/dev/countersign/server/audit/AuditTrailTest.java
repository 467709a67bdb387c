package dev.countersign.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;

class AuditTrailTest {
  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource
  void append_change_isReadBack(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      Change change =
          new Change(
              "client.updated",
              "client:a",
              Map.of("roles", List.of("b", "a"), "name", "Acme"),
              Map.of("z", 1, "a", Map.of("y", true, "b", 2L)));
      test.append(Author.operator("ada", "2001:db8::1"), change);
      AuditEntry entry = test.entries().getFirst();
      assertThat(entry)
          .usingRecursiveComparison()
          .ignoringFields("hash")
          .isEqualTo(
              new AuditEntry(
                  1,
                  TestTrail.NOW,
                  "ada",
                  "portal",
                  "2001:db8::1",
                  "client.updated",
                  "client:a",
                  "{\"name\":\"Acme\",\"roles\":[\"b\",\"a\"]}",
                  "{\"a\":{\"b\":2,\"y\":true},\"z\":1}",
                  EntryHash.NONE,
                  ""));
      assertThat(entry.hash()).isEqualTo(EntryHash.of(entry));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void append_twice_isChained(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.append(Author.command("ada"), Change.of("a.b", "c:d"));
      test.append(Author.service(), Change.of("a.b", "c:d"));
      List<AuditEntry> entries = test.entries();
      assertThat(entries).extracting(AuditEntry::seq).containsExactly(1L, 2L);
      assertThat(entries.get(1).previousHash()).isEqualTo(entries.get(0).hash());
      assertThat(entries).extracting(AuditEntry::address).containsOnlyNulls();
      assertThat(test.trail().verify())
          .isEqualTo(new ChainVerification.Intact(2, entries.get(1).hash(), 0));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void append_textThatNoDatabaseKeeps_isChained(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      String odd = "a\0b\uD800c\t\"\\😀\u2028";
      test.append(
          new Author(odd, Channel.PORTAL, odd),
          new Change(odd, odd, Map.of(odd, List.of(odd)), Map.of()));
      assertThat(test.trail().verify()).isInstanceOf(ChainVerification.Intact.class);
      assertThat(test.entries().getFirst().author()).isEqualTo("a\uFFFDb\uFFFDc\t\"\\😀\u2028");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void append_transactionThatIsRolledBack_leavesNothing(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      assertThatThrownBy(
              () ->
                  test.database()
                      .write(
                          sql -> {
                            test.trail().append(sql, Author.service(), Change.of("a.b", "c:d"));
                            throw new IllegalStateException("later");
                          }))
          .hasMessage("later");
      assertThat(test.entries()).isEmpty();
      test.fill(1);
      assertThat(test.trail().verify()).isInstanceOf(ChainVerification.Intact.class);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void append_twoNodesAtOnce_isOneChain(TestStore store) throws Exception {
    try (Database one = store.open(data);
        Database other = store.open(data);
        TestThreads threads = TestThreads.of(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Database database = i % 2 == 0 ? one : other;
        AuditTrail trail = new AuditTrail(database, Clock.systemUTC());
        Change change = Change.of("a.b", "c:" + i);
        all.add(
            threads.submit(
                () ->
                    // The other node may hold SQLite's lock for as long as a write waits for it.
                    Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .until(() -> appended(database, trail, change))));
      }
      for (Future<?> append : all) {
        Waits.forResult(append);
      }
      AuditTrail trail = new AuditTrail(one, Clock.systemUTC());
      List<AuditEntry> entries = trail.page(AuditFilter.all(), 0, 1000).entries().reversed();
      assertThat(entries)
          .extracting(AuditEntry::seq)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
      assertThat(entries).extracting(AuditEntry::subject).doesNotHaveDuplicates();
      assertThat(trail.verify())
          .isEqualTo(new ChainVerification.Intact(200, entries.getLast().hash(), 0));
    }
  }

  private static boolean appended(Database database, AuditTrail trail, Change change) {
    try {
      return database.write(
          sql -> {
            trail.append(sql, Author.service(), change);
            return true;
          });
    } catch (StoreUnavailableException busy) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void entries_changedBySql_areRefused(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(2);
      String values = " VALUES (1, 0, 'a', 'portal', NULL, 'a', 's', '{}', '{}', 'p', 'h')";
      List<String> statements =
          new ArrayList<>(
              List.of(
                  "UPDATE audit_entries SET author = 'eve' WHERE seq = 1",
                  "DELETE FROM audit_entries WHERE seq = 2",
                  "INSERT INTO audit_entries" + values,
                  "INSERT INTO audit_entries"
                      + values
                      + " ON CONFLICT (seq) DO UPDATE SET author = 'eve'",
                  "DELETE FROM audit_head",
                  "UPDATE audit_head SET seq = 1",
                  "INSERT INTO audit_head (id, seq, hash) VALUES (2, 0, 'h')"));
      statements.addAll(
          store == TestStore.SQLITE
              ? List.of(
                  "INSERT OR REPLACE INTO audit_entries" + values,
                  "UPDATE OR REPLACE audit_entries SET seq = 1 WHERE seq = 2",
                  "INSERT OR REPLACE INTO audit_head VALUES (1, 0, 'h')")
              : List.of("TRUNCATE audit_entries", "TRUNCATE audit_head"));
      for (String statement : statements) {
        assertThatThrownBy(() -> test.database().write(sql -> sql.sql(statement).update()))
            .as(statement)
            .isInstanceOf(DataAccessException.class);
      }
      assertThat(test.trail().verify()).isInstanceOf(ChainVerification.Intact.class);
      assertThat(test.entries()).hasSize(2);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void page_ofAll_isNewestFirstWithTheTotal(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(5);
      AuditSearchResult page = test.trail().page(AuditFilter.all(), 1, 2);
      assertThat(page.entries()).extracting(AuditEntry::seq).containsExactly(4L, 3L);
      assertThat(page.total()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void page_filtered_holdsThoseAlone(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.append(Author.command("ada"), Change.of("client.added", "client:1"));
      test.append(
          Author.operator("bob", "203.0.113.7"),
          new Change("client.updated", "client:2", Map.of(), Map.of("name", "100% ACME_!")));
      test.append(Author.operator("bob", null), Change.of("operator.added", "operator:eve"));
      assertThat(found(test, filter("ada", null, null, null))).containsExactly(1L);
      assertThat(found(test, filter("", " ", "", ""))).hasSize(3);
      assertThat(found(test, filter("a\0", "a\uD800", "\0", "\0'\""))).isEmpty();
      assertThat(found(test, filter("bo", null, null, null))).isEmpty();
      assertThat(found(test, filter(null, "client.", null, null))).containsExactly(2L, 1L);
      assertThat(found(test, filter(null, "client.added", null, null))).containsExactly(1L);
      assertThat(found(test, filter(null, "c_ient", null, null))).isEmpty();
      assertThat(found(test, filter(null, null, "client:2", null))).containsExactly(2L);
      assertThat(found(test, filter(null, null, null, "203.0.113"))).containsExactly(2L);
      assertThat(found(test, filter(null, null, null, "acme_!"))).containsExactly(2L);
      assertThat(found(test, filter(null, null, null, "0% A"))).containsExactly(2L);
      assertThat(found(test, filter(null, null, null, "%"))).containsExactly(2L);
      assertThat(found(test, filter(null, null, null, "EVE"))).containsExactly(3L);
      assertThat(found(test, filter("bob", "client.", null, "Acme"))).containsExactly(2L);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void page_ofATime_beginsWithFromAndEndsBeforeTo(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(1);
      Instant now = TestTrail.NOW;
      assertThat(found(test, between(now, now.plusMillis(1)))).hasSize(1);
      assertThat(found(test, between(now.plusNanos(1), null))).isEmpty();
      assertThat(found(test, between(null, now))).isEmpty();
      assertThat(found(test, between(null, now.plusNanos(1)))).hasSize(1);
    }
  }

  @Test
  void change_valueOfAnotherType_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Change("a.b", "c:d", Map.of("at", new Date(0)), Map.of()))
        .withMessageContaining("java.util.Date");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Change("a.b", "c:d", Map.of(), Map.of("list", List.of(1.5))));
  }

  @Test
  void author_withoutAName_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> Author.operator(" ", null));
    assertThatIllegalArgumentException().isThrownBy(() -> Author.operator("ada", ""));
    assertThat(Author.command("").name()).isEqualTo("unknown");
  }

  private static List<Long> found(TestTrail test, AuditFilter filter) {
    AuditSearchResult page = test.trail().page(filter, 0, 100);
    assertThat(page.total()).isEqualTo(page.entries().size());
    return page.entries().stream().map(AuditEntry::seq).toList();
  }

  private static AuditFilter filter(String author, String action, String subject, String text) {
    return new AuditFilter(author, action, subject, null, null, text);
  }

  private static AuditFilter between(Instant from, Instant to) {
    return new AuditFilter(null, null, null, from, to, null);
  }
}
