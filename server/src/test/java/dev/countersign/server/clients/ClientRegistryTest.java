package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.LogCapture;
import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.testing.Waits;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientRegistryTest {
  private static final Duration SOON = Waits.LIMIT;

  @TempDir private Path data;
  private Database ours;
  private Database others;
  private ClientStore otherProcess;

  @BeforeEach
  void open() {
    ours = Database.open(StoreSettings.embedded(data));
    others = Database.open(StoreSettings.embedded(data));
    otherProcess = store(others);
  }

  @AfterEach
  void close() {
    ours.close();
    others.close();
  }

  @Test
  void find_clientOfBefore_isAllThatTheAccessPathNeeds() throws Exception {
    Client client = otherProcess.add(acme(0));
    try (ClientRegistry registry = registry()) {
      RegisteredClient found = registry.find(client.clientId()).orElseThrow();
      assertThat(found.clientId()).isEqualTo(client.clientId());
      assertThat(found.enabled()).isTrue();
      assertThat(found.permissions()).containsExactly(Permission.of("ledger:wallets:read"));
      assertThat(found.whitelist().allows(InetAddress.getByName("10.0.0.1"))).isTrue();
      assertThat(found.keys())
          .singleElement()
          .satisfies(
              key -> {
                assertThat(key.verificationKey().algorithm())
                    .isEqualTo(SignatureAlgorithm.RSA_V1_5_SHA256);
                assertThat(key.fingerprint())
                    .isEqualTo(KeyFingerprint.of(RsaKeyPairs.publicKey(0)).value());
                assertThat(key.isLiveAt(Instant.MAX)).isTrue();
              });
      assertThat(registry.find(client.clientId())).containsSame(found);
    }
  }

  @Test
  void find_otherBytes_isEmpty() {
    Client client = otherProcess.add(acme(0));
    try (ClientRegistry registry = registry()) {
      for (String keyid :
          List.of(
              "", "nobody", client.clientId().toUpperCase(Locale.ROOT), client.clientId() + " ")) {
        assertThat(registry.find(keyid)).isEmpty();
      }
    }
  }

  @Test
  void find_changeOfAnotherProcess_isSeen() throws Exception {
    try (ClientRegistry registry = registry()) {
      String id = otherProcess.add(acme(0)).clientId();
      await(registry, id, Optional::isPresent);
      otherProcess.disable(id);
      await(registry, id, found -> !found.orElseThrow().enabled());
      otherProcess.update(id, new ClientUpdate(null, null, List.of("ledger-operator"), null));
      await(registry, id, found -> found.orElseThrow().permissions().size() == 2);
      otherProcess.addKey(id, RsaKeyPairs.publicKey(1), Instant.now().plusSeconds(60));
      await(registry, id, found -> found.orElseThrow().keys().size() == 2);
      otherProcess.remove(id);
      await(registry, id, Optional::isEmpty);
    }
  }

  @Test
  void find_attributesChangedByAnotherProcess_areSeen() throws Exception {
    try (ClientRegistry registry = registry()) {
      String id = otherProcess.add(acme(0)).clientId();
      await(registry, id, Optional::isPresent);
      assertThat(registry.find(id).orElseThrow().attributes()).isEmpty();
      change(id, Map.of("region", AttributeSetting.of(List.of("7"))));
      awaitRegion(registry, id, Optional.of(new AttributeValue.Values(List.of(7L))));
      change(id, Map.of("region", AttributeSetting.EVERYTHING));
      awaitRegion(registry, id, Optional.of(AttributeValue.EVERYTHING));
      change(id, Map.of(), "region");
      awaitRegion(registry, id, Optional.empty());
    }
  }

  @Test
  void find_attributeThatTheConfigurationNoLongerAllows_admitsNothing() {
    String id = otherProcess.add(acme(0)).clientId();
    change(
        id,
        Map.of(
            "customerId", AttributeSetting.of(List.of("a", "b")),
            "region", AttributeSetting.of(List.of("7"))));
    Attributes narrower =
        Attributes.parse(Map.of("customerId", new AttributeProperties("text", false)));
    try (ClientRegistry registry = TestRoles.registry(ours, narrower)) {
      RegisteredClient found = registry.find(id).orElseThrow();
      assertThat(found.enabled()).isTrue();
      assertThat(found.attributes()).isEmpty();
    }
  }

  private void change(String id, Map<String, AttributeSetting> set, String... removed) {
    otherProcess.update(id, new ClientUpdate(null, null, null, set, Set.of(removed), null));
  }

  private static void awaitRegion(
      ClientRegistry registry, String id, Optional<AttributeValue> expected) throws Exception {
    await(
        registry,
        id,
        found ->
            Optional.ofNullable(found.orElseThrow().attributes().get("region")).equals(expected));
  }

  /** The rest of the documented second is for reading the changes. */
  @Test
  void interval_betweenTwoLooks_isHalfASecondAtMost() {
    assertThat(ClientRegistry.INTERVAL).isLessThanOrEqualTo(Duration.ofMillis(500));
  }

  @Test
  void find_changeOfThisProcess_isSeenAtOnce() {
    try (ClientRegistry registry = registry()) {
      ClientStore store = store(ours);
      store.afterEachChange(registry::refresh);
      String id = store.add(acme(0)).clientId();
      assertThat(registry.find(id)).isPresent();
      store.disable(id);
      assertThat(registry.find(id)).hasValueSatisfying(c -> assertThat(c.enabled()).isFalse());
      store.remove(id);
      assertThat(registry.find(id)).isEmpty();
    }
  }

  @Test
  void find_roleThatTheConfigurationLacks_grantsNothing() {
    String id = otherProcess.add(acme(0)).clientId();
    others.write(sql -> sql.sql("UPDATE clients SET roles = 'gone'").update());
    try (ClientRegistry registry = registry()) {
      assertThat(registry.find(id).orElseThrow().permissions()).isEmpty();
    }
  }

  @Test
  void find_damagedRecord_locksThatClientOutAlone() {
    String damaged = otherProcess.add(acme(0)).clientId();
    String whole = otherProcess.add(acme(1)).clientId();
    others.write(
        sql ->
            sql.sql("UPDATE client_keys SET public_key = 'x' WHERE client_id = ?")
                .param(damaged)
                .update());
    try (LogCapture log = LogCapture.of(ClientReader.class);
        ClientRegistry registry = registry()) {
      assertThat(registry.find(damaged).orElseThrow().enabled()).isFalse();
      assertThat(registry.find(damaged).orElseThrow().keys()).isEmpty();
      assertThat(registry.find(whole).orElseThrow().enabled()).isTrue();
      // As in the transaction of a write.
      for (int i = 0; i < 3; i++) {
        assertThat(committed(registry, damaged).enabled()).isFalse();
      }
      assertThat(committed(registry, whole).enabled()).isTrue();
      assertThat(log.linesOfThisThread())
          .singleElement()
          .satisfies(line -> assertThat(line).contains(damaged, "its record is damaged"));
    }
  }

  private RegisteredClient committed(ClientRegistry registry, String clientId) {
    return others.read(sql -> registry.find(sql, clientId)).orElseThrow();
  }

  @Test
  void refresh_storeCannotBeRead_keepsTheLastState() throws Exception {
    String id = otherProcess.add(acme(0)).clientId();
    try (ClientRegistry registry = registry()) {
      others.write(sql -> sql.sql("ALTER TABLE client_revision RENAME TO lost").update());
      registry.refresh();
      registry.refresh();
      assertThat(registry.find(id)).isPresent();
      others.write(sql -> sql.sql("ALTER TABLE lost RENAME TO client_revision").update());
      otherProcess.remove(id);
      await(registry, id, Optional::isEmpty);
    }
  }

  @Test
  void refresh_olderDatabaseInPlace_forgetsWhatItDoesNotHave() {
    String kept = otherProcess.add(acme(0)).clientId();
    String lost = otherProcess.add(acme(1)).clientId();
    try (ClientRegistry registry = registry()) {
      others.write(
          sql -> {
            sql.sql("DELETE FROM client_keys WHERE client_id = ?").param(lost).update();
            sql.sql("DELETE FROM clients WHERE client_id = ?").param(lost).update();
            return sql.sql("UPDATE client_revision SET value = 1").update();
          });
      registry.refresh();
      assertThat(registry.find(lost)).isEmpty();
      assertThat(registry.find(kept)).isPresent();
    }
  }

  /** The changes that only the lost primary had are replaced by as many others, or by more. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void refresh_laggingCopyWithOtherChanges_doesNotHideARevocation(int more) {
    String revoked = otherProcess.add(acme(0)).clientId();
    String other = otherProcess.add(acme(1)).clientId();
    try (ClientRegistry registry = registry()) {
      otherProcess.disable(other);
      registry.refresh();
      assertThat(registry.find(other).orElseThrow().enabled()).isFalse();
      others.write(
          sql -> {
            ClientRows rows = new ClientRows(sql);
            // As before the last change.
            sql.sql("UPDATE clients SET status = 'enabled', revision = 2 WHERE client_id = ?")
                .param(other)
                .update();
            sql.sql("UPDATE client_revision SET value = 2").update();
            sql.sql("DELETE FROM registry_tokens WHERE revision > 2").update();
            change(rows, revoked, client -> client.withStatus(Client.Status.DISABLED));
            for (int i = 0; i < more; i++) {
              change(rows, other, client -> client);
            }
            return rows;
          });
      registry.refresh();
      assertThat(registry.find(revoked).orElseThrow().enabled()).isFalse();
      assertThat(registry.find(other).orElseThrow().enabled()).isTrue();
    }
  }

  @Test
  void refresh_afterTenThousandChanges_saysThatAnotherCopyIsPossible() throws Exception {
    String id = otherProcess.add(acme(0)).clientId();
    try (ClientRegistry registry = registry();
        LogCapture log = LogCapture.of(ClientRegistry.class)) {
      others.write(
          sql -> {
            ClientRows rows = new ClientRows(sql);
            sql.sql("UPDATE client_revision SET value = value + 9999").update();
            change(rows, id, client -> client.withStatus(Client.Status.DISABLED));
            return rows;
          });
      await(registry, id, found -> !found.orElseThrow().enabled());
      assertThat(log.lines())
          .contains(
              "the clients were last read at least 10000 changes ago, or the database was replaced"
                  + " by another copy; all clients are read again");
    }
  }

  private static void change(ClientRows rows, String id, UnaryOperator<Client> change) {
    long revision = rows.nextRevision();
    rows.update(change.apply(rows.find(id).orElseThrow()).changedAt(Instant.now(), revision));
  }

  @Test
  void refresh_afterAMinute_findsChangesThatTheRevisionDoesNotShow() {
    String revoked = otherProcess.add(acme(0)).clientId();
    String gone = otherProcess.add(acme(1)).clientId();
    String kept = otherProcess.add(acme(2)).clientId();
    AtomicLong ticker = new AtomicLong();
    try (ClientRegistry registry = TestRoles.registry(ours, TestRoles.attributes(), ticker::get)) {
      RegisteredClient before = registry.find(kept).orElseThrow();
      others.write(
          sql -> {
            sql.sql("DELETE FROM client_keys WHERE client_id = ?").param(gone).update();
            sql.sql("DELETE FROM clients WHERE client_id = ?").param(gone).update();
            return sql.sql(
                    "UPDATE clients SET status = 'disabled', change_token = 7 WHERE client_id = ?")
                .param(revoked)
                .update();
          });
      ticker.addAndGet(Duration.ofSeconds(59).toNanos());
      registry.refresh();
      assertThat(registry.find(revoked).orElseThrow().enabled()).isTrue();
      ticker.addAndGet(Duration.ofSeconds(1).toNanos());
      registry.refresh();
      assertThat(registry.find(revoked).orElseThrow().enabled()).isFalse();
      assertThat(registry.find(gone)).isEmpty();
      assertThat(registry.find(kept)).containsSame(before);
    }
  }

  /** An operator who changes a row by hand leaves the token as it is. */
  @Test
  void refresh_changesByHand_areSeen() {
    String id = otherProcess.add(acme(0)).clientId();
    try (ClientRegistry registry = registry()) {
      others.write(
          sql -> {
            sql.sql("UPDATE client_revision SET value = value + 1").update();
            return sql.sql("UPDATE clients SET status = 'disabled', revision = 2").update();
          });
      registry.refresh();
      assertThat(registry.find(id).orElseThrow().enabled()).isFalse();
      otherProcess.enable(id);
      registry.refresh();
      assertThat(registry.find(id).orElseThrow().enabled()).isTrue();
    }
  }

  @Test
  void tokens_ofTheLastTenThousandRevisions_areKept() {
    String id = otherProcess.add(acme(0)).clientId();
    others.write(sql -> sql.sql("UPDATE client_revision SET value = 10000").update());
    otherProcess.disable(id);
    assertThat(revisionsWithTokens()).containsExactly(10_001L);
    otherProcess.enable(id);
    assertThat(revisionsWithTokens()).containsExactly(10_001L, 10_002L);
  }

  private List<Long> revisionsWithTokens() {
    return others.read(
        sql ->
            sql.sql("SELECT revision FROM registry_tokens ORDER BY revision")
                .query(Long.class)
                .list());
  }

  @Test
  void refresh_storeThatDoesNotAnswer_returnsWithoutIt() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean silent = new AtomicBoolean();
    AtomicBoolean answered = new AtomicBoolean();
    AtomicLong ticker = new AtomicLong();
    try (ClientRegistry registry =
        ClientRegistry.open(
            ours,
            new ClientReader(TestRoles.ledger(), TestRoles.attributes(), CryptoProvider.jdk()),
            new NodeFitness(Duration.ofSeconds(60), ticker::get),
            sql -> {
              awaitIf(silent, released);
              answered.set(silent.get());
            })) {
      silent.set(true);
      ticker.addAndGet(ClientRegistry.HEARTBEAT.toNanos());
      long start = System.nanoTime();
      registry.refresh();
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(ClientRegistry.REFRESH_WAIT);
      assertThat(answered).as("the store has answered").isFalse();
      released.countDown();
      String id = otherProcess.add(acme(0)).clientId();
      await(registry, id, Optional::isPresent);
    } finally {
      released.countDown();
    }
  }

  private static void awaitIf(AtomicBoolean silent, CountDownLatch released) {
    try {
      if (silent.get()) {
        Waits.forLatch(released);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void open_moreClientsThanOneReadTakes_loadsThemAll() {
    int count = 4_500;
    ManyClients.insert(others, count);
    try (ClientRegistry registry = registry()) {
      for (int i = 1; i <= count; i++) {
        assertThat(registry.find(ManyClients.id(i))).isPresent();
      }
    }
  }

  @Test
  void open_storeThatCannotBeRead_throws() {
    others.write(sql -> sql.sql("DROP TABLE client_revision").update());
    assertThatThrownBy(this::registry).isInstanceOf(RuntimeException.class);
  }

  private ClientRegistry registry() {
    return TestRoles.registry(ours, TestRoles.attributes());
  }

  private static ClientStore store(Database database) {
    return new ClientStore(database, TestRoles.rules(), Clock.systemUTC(), new Random(3));
  }

  private static NewClient acme(int key) {
    return new NewClient(
        "Acme", List.of("10.0.0.0/8"), List.of("ledger-viewer"), RsaKeyPairs.publicKey(key), null);
  }

  private static void await(
      ClientDirectory registry, String id, Predicate<Optional<RegisteredClient>> seen)
      throws InterruptedException {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!seen.test(registry.find(id)) && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    assertThat(registry.find(id)).matches(seen);
  }
}
