package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientSort.Direction.ASCENDING;
import static dev.countersign.server.clients.ClientSort.Direction.DESCENDING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.clients.ClientSort.Direction;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Searching for clients on both databases. */
class ClientSearchTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void search_text_isFoundInEachField(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = store(database);
      Client acme = add(store, "Acme Bank", 0, "203.0.113.7");
      Client zeta = add(store, "zeta 100% _x_ !", 1, "2001:db8::/48");
      ClientSearch search = new ClientSearch(database, clock);

      assertThat(names(search, "aCME b")).containsExactly("Acme Bank");
      assertThat(names(search, acme.clientId().substring(4, 14).toUpperCase(Locale.ROOT)))
          .containsExactly("Acme Bank");
      assertThat(names(search, zeta.keys().getFirst().fingerprint()))
          .containsExactly("zeta 100% _x_ !");
      assertThat(names(search, "113.7")).containsExactly("Acme Bank");
      assertThat(names(search, "2001:DB8::")).containsExactly("zeta 100% _x_ !");
      assertThat(names(search, " % ")).containsExactly("zeta 100% _x_ !");
      assertThat(names(search, "_")).containsExactly("zeta 100% _x_ !");
      assertThat(names(search, "!")).containsExactly("zeta 100% _x_ !");
      assertThat(names(search, "' OR 1=1 --")).isEmpty();
      assertThat(names(search, "")).containsExactly("Acme Bank", "zeta 100% _x_ !");
      assertThat(names(search, "Acme\0")).isEmpty();
      assertThat(names(search, "Acme\uD83D")).isEmpty();
      assertThat(store.find("cl-\0")).isEmpty();
      assertThat(store.find("cl-\uD83D")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void search_attribute_isFoundByNameAndValue(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = store(database);
      add(store, "A", 0, Map.of("customerId", AttributeSetting.of(List.of("Nord-4711", "4712"))));
      add(store, "B", 1, Map.of("customerId", AttributeSetting.EVERYTHING));
      add(store, "C", 2, Map.of("region", AttributeSetting.of(List.of("4711"))));
      ClientSearch search = new ClientSearch(database, clock);

      assertThat(names(search, "nord-")).containsExactly("A");
      assertThat(names(search, "customerid=4712")).containsExactly("A");
      assertThat(names(search, "region=4711")).containsExactly("C");
      assertThat(names(search, "customerId=*")).containsExactly("B");
      assertThat(names(search, "customerId")).containsExactly("A", "B");
      assertThat(names(search, "customerId=%")).isEmpty();
    }
  }

  /** PostgreSQL folds the case of other letters in some texts, and not in others. */
  @ParameterizedTest
  @EnumSource
  void search_lettersBeyondAscii_areFoundAsTheyAreWritten(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = store(database);
      add(store, "ÄRZTE Süd", 0, Map.of("customerId", AttributeSetting.of(List.of("ÖL-Süd"))));
      ClientSearch search = new ClientSearch(database, clock);

      assertThat(names(search, "ÄRZTE süd")).containsExactly("ÄRZTE Süd");
      assertThat(names(search, "customerid=ÖL-süd")).containsExactly("ÄRZTE Süd");
    }
  }

  @ParameterizedTest
  @EnumSource
  void search_status_leavesOthersAndRemovedOnesOut(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = store(database);
      add(store, "A", 0, "10.0.0.1");
      store.disable(add(store, "B", 1, "10.0.0.1").clientId());
      store.remove(add(store, "Removed", 2, "10.0.0.1").clientId());
      ClientSearch search = new ClientSearch(database, clock);

      assertThat(names(search, query("", Status.ENABLED, ClientSort.NAME, ASCENDING)))
          .containsExactly("A");
      assertThat(names(search, query("", Status.DISABLED, ClientSort.NAME, ASCENDING)))
          .containsExactly("B");
      assertThat(names(search, "")).containsExactly("A", "B");
      assertThat(names(search, "Removed")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void search_sort_isByEachHeading(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = store(database);
      Client b = add(store, "b", 0, "10.0.0.1");
      clock.advance(Duration.ofDays(1));
      Client a = add(store, "A", 1, "10.0.0.1");
      clock.advance(Duration.ofDays(1));
      Client c = add(store, "C", 2, "10.0.0.1");
      // b now has the newest key; its first key has ended.
      clock.advance(Duration.ofDays(1));
      store.addKey(b.clientId(), RsaKeyPairs.publicKey(3), clock.instant());
      store.disable(a.clientId());
      used(database, a, Instant.parse("2026-11-21T00:00:00Z"));
      used(database, b, Instant.parse("2026-11-22T00:00:00Z"));
      ClientSearch search = new ClientSearch(database, clock);

      assertThat(sorted(search, ClientSort.NAME, ASCENDING)).containsExactly("A", "b", "C");
      assertThat(sorted(search, ClientSort.NAME, DESCENDING)).containsExactly("C", "b", "A");
      assertThat(sorted(search, ClientSort.CREATED, ASCENDING)).containsExactly("b", "A", "C");
      assertThat(sorted(search, ClientSort.KEY_AGE, ASCENDING)).containsExactly("b", "C", "A");
      assertThat(sorted(search, ClientSort.KEY_AGE, DESCENDING)).containsExactly("A", "C", "b");
      assertThat(sorted(search, ClientSort.STATUS, ASCENDING)).containsExactly("A", "b", "C");
      assertThat(sorted(search, ClientSort.LAST_USED, ASCENDING)).containsExactly("C", "A", "b");
      assertThat(sorted(search, ClientSort.LAST_USED, DESCENDING)).containsExactly("b", "A", "C");
      assertThat(sorted(search, ClientSort.CLIENT_ID, ASCENDING))
          .hasSize(3)
          .doesNotHaveDuplicates();
      assertThat(search.lastUses(a.clientId()))
          .containsEntry(a.keys().getFirst().fingerprint(), Instant.parse("2026-11-21T00:00:00Z"));
      assertThat(search.lastUses(c.clientId())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full")
  void search_tenThousandClients_pagesWithoutOverlap(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ManyClients.insert(database, 10_000);
      ClientSearch search = new ClientSearch(database, clock);
      ClientSearchResult first = search.find(page(0));
      ClientSearchResult second = search.find(page(1));
      assertThat(first.total()).isEqualTo(10_000);
      assertThat(first.pages()).isEqualTo(100);
      assertThat(first.found()).hasSize(100).doesNotContainAnyElementsOf(second.found());
      assertThat(search.find(page(100_000)).number()).isEqualTo(99);
    }
  }

  private ClientStore store(Database database) {
    return new ClientStore(database, TestRoles.rules(), clock, new Random(3));
  }

  private static Client add(ClientStore store, String name, int key, String... whitelist) {
    return store.add(
        new NewClient(
            name, List.of(whitelist), List.of("ledger-viewer"), RsaKeyPairs.publicKey(key), null));
  }

  private static Client add(
      ClientStore store, String name, int key, Map<String, AttributeSetting> attributes) {
    return store.add(
        new NewClient(
            name,
            List.of("10.0.0.1"),
            List.of("ledger-viewer"),
            attributes,
            RsaKeyPairs.publicKey(key),
            null));
  }

  private static void used(Database database, Client client, Instant at) {
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO client_key_uses (client_id, fingerprint, last_used_at)"
                        + " VALUES (?, ?, ?)")
                .param(client.clientId())
                .param(client.keys().getFirst().fingerprint())
                .param(at.toEpochMilli())
                .update());
  }

  private static List<String> names(ClientSearch search, String text) {
    return names(search, query(text, null, ClientSort.NAME, ASCENDING));
  }

  private static List<String> sorted(ClientSearch search, ClientSort sort, Direction direction) {
    return names(search, query("", null, sort, direction));
  }

  private static List<String> names(ClientSearch search, ClientQuery query) {
    ClientSearchResult page = search.find(query);
    assertThat(page.total()).isEqualTo(page.found().size());
    return page.found().stream().map(found -> found.client().name()).toList();
  }

  private static ClientQuery query(
      String text, Status status, ClientSort sort, Direction direction) {
    return new ClientQuery(text, status, sort, direction, 0, 25);
  }

  private static ClientQuery page(int page) {
    return new ClientQuery("", null, ClientSort.NAME, ASCENDING, page, 100);
  }
}
