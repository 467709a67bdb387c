package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.ClientAttention.Concern;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients that need attention, on both databases. */
class ClientAttentionTest {
  private static final AttributeSetting SOME = AttributeSetting.of(List.of("4711", "4712"));

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void lacking_attributes_findsEnabledClientsWithTheRoles(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      add(store, "None", 0, "ledger-viewer", Map.of());
      add(store, "One of two", 1, "ledger-operator", Map.of("customerId", SOME));
      add(
          store,
          "Both",
          2,
          "ledger-viewer",
          Map.of("customerId", SOME, "region", AttributeSetting.EVERYTHING));
      String disabled = add(store, "Disabled", 3, "ledger-viewer", Map.of()).clientId();
      store.disable(disabled);
      ClientAttention attention = new ClientAttention(database, clock);

      Set<String> both = Set.of("customerId", "region");
      Set<String> roles = Set.of("ledger-viewer", "ledger-operator");
      assertThat(names(attention.lacking(both, roles))).containsExactly("None", "One of two");
      assertThat(names(attention.lacking(Set.of("customerId"), roles))).containsExactly("None");
      assertThat(names(attention.lacking(both, Set.of("ledger-operator"))))
          .containsExactly("One of two");
      assertThat(names(attention.lacking(both, Set.of("viewer", "ledger")))).isEmpty();
      assertThat(names(attention.lacking(both, Set.of()))).isEmpty();
      assertThat(names(attention.lacking(Set.of(), roles))).isEmpty();
      store.remove(disabled);
      assertThat(names(attention.lacking(both, roles))).containsExactly("None", "One of two");
    }
  }

  @ParameterizedTest
  @EnumSource
  void openToEveryone_byTheUnionOfTheRanges(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      String id = add(store, "Acme", 0, "ledger-viewer", Map.of()).clientId();
      ClientAttention attention = new ClientAttention(database, clock);
      Map<String, Boolean> lists = new LinkedHashMap<>();
      lists.put("0.0.0.0", true);
      lists.put("0.0.0.0/0", true);
      lists.put("10.0.0.1 128.0.0.0/1 0.0.0.0/1", true);
      lists.put("::/0", true);
      lists.put("0:0:0:0:0:0:0:0/1", true);
      lists.put("3000::/4 2000:0::/4", true);
      lists.put("10.0.0.0/8", false);
      lists.put("0.0.0.0/1", false);
      lists.put("128.0.0.0/1 0.0.0.0/2", false);
      lists.put("2000::/4", false);
      lists.put("::1", false);
      lists.forEach(
          (list, isOpen) -> {
            store.update(id, new ClientUpdate(null, List.of(list.split(" ")), null, null));
            assertThat(names(attention.openToEveryone()))
                .as(list)
                .isEqualTo(isOpen ? List.of("Acme") : List.of());
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void rotations_ofTheLastWeek_areListedNewestFirst(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      String early = add(store, "Early", 0, "ledger-viewer", Map.of()).clientId();
      String late = add(store, "Late", 1, "ledger-viewer", Map.of()).clientId();
      add(store, "Never", 2, "ledger-viewer", Map.of());
      rotated(database, early);
      clock.advance(Duration.ofDays(1));
      rotated(database, late);
      ClientAttention attention = new ClientAttention(database, clock);

      assertThat(names(attention.rotations())).containsExactly("Late", "Early");
      assertThat(attention.rotations().some().getFirst().since()).isEqualTo(clock.instant());
      clock.advance(ClientAttention.RECENT_ROTATION.minusDays(1));
      assertThat(names(attention.rotations())).containsExactly("Late");
      store.remove(late);
      assertThat(names(attention.rotations())).isEmpty();
    }
  }

  /** Notes that the client added its present key itself. */
  private void rotated(Database database, String clientId) {
    database.write(
        sql -> {
          ClientRows rows = new ClientRows(sql);
          String fingerprint = rows.find(clientId).orElseThrow().keys().getFirst().fingerprint();
          rows.noteRotation(
              clientId, new ClientKey(fingerprint, "key", 2048, clock.instant(), null));
          return sql;
        });
  }

  private static List<String> names(ClientAttention.Concerns concerns) {
    assertThat(concerns.total()).isEqualTo(concerns.some().size());
    return concerns.some().stream().map(Concern::name).toList();
  }

  private static Client add(
      ClientStore store,
      String name,
      int key,
      String role,
      Map<String, AttributeSetting> attributes) {
    Client client =
        store.add(
            new NewClient(
                name, List.of("10.0.0.1"), List.of(role), RsaKeyPairs.publicKey(key), null));
    return attributes.isEmpty()
        ? client
        : store.update(
            client.clientId(), new ClientUpdate(null, null, null, attributes, Set.of(), null));
  }
}
