package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.clients.ClientException.Reason;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour of a client store on either database. */
abstract class ClientStoreContract {
  private final TestClock clock = new TestClock();
  private final Random random = new Random(5);
  private ClientStore store;

  abstract Database database();

  @BeforeEach
  void openStore() {
    store = new ClientStore(database(), TestRoles.rules(), clock, random);
  }

  @Test
  void add_wholeRecord_isFoundAsItWasReturned() {
    Client added = store.add(acme(0));
    assertThat(added.clientId()).matches("cl-[0-9a-z]{18}");
    assertThat(added.name()).isEqualTo("Acme");
    assertThat(added.whitelist()).containsExactly("203.0.113.7", "2001:db8::/32");
    assertThat(added.roles()).containsExactly("ledger-viewer");
    assertThat(added.status()).isEqualTo(Status.ENABLED);
    assertThat(added.keys()).singleElement().matches(key -> key.bits() == 2048);
    assertThat(store.find(added.clientId())).contains(added);
    assertThat(store.list()).containsExactly(added);
    assertThat(store.find("nobody")).isEmpty();
  }

  @Test
  void add_idBroughtAlong_isKept() {
    assertThat(store.add(acme(0, "legacy-7")).clientId()).isEqualTo("legacy-7");
    ClientException refused = refused(() -> store.add(acme(1, "legacy-7")));
    assertThat(refused.reason()).isEqualTo(Reason.ID_TAKEN);
    assertThat(refused).hasMessageContaining("legacy-7 belongs to the client Acme");
  }

  @Test
  void add_fieldNotAllowed_throwsAndKeepsNothing() {
    List<NewClient> wrong =
        List.of(
            client(" ", List.of("10.0.0.1"), List.of("ledger-viewer"), null),
            client("a".repeat(121), List.of("10.0.0.1"), List.of("ledger-viewer"), null),
            client("a\nb", List.of("10.0.0.1"), List.of("ledger-viewer"), null),
            client("a\u202eb", List.of("10.0.0.1"), List.of("ledger-viewer"), null),
            client("Acme", List.of(), List.of("ledger-viewer"), null),
            client("Acme", List.of("10.0.0.300"), List.of("ledger-viewer"), null),
            client("Acme", List.of("10.0.0.1"), List.of(), null),
            client("Acme", List.of("10.0.0.1"), List.of("admin"), null),
            client("Acme", List.of("10.0.0.1"), List.of("ledger-viewer"), "a b"),
            client("Acme", List.of("10.0.0.1"), List.of("ledger-viewer"), "cl-own"));
    for (NewClient client : wrong) {
      assertThat(refused(() -> store.add(client)).reason()).isEqualTo(Reason.INVALID);
    }
    assertThat(store.list()).isEmpty();
  }

  @Test
  void add_nameOutsideOfTheAlphabet_isKept() {
    String name = "Åland — 銀行 😀, \"O'Brien\" & Söhne";
    Client added = store.add(client(name, List.of("10.0.0.1"), List.of("ledger-viewer"), null));
    assertThat(store.get(added.clientId()).name()).isEqualTo(name);
  }

  @Test
  void add_weakKey_throws() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    RSAPublicKey weak = (RSAPublicKey) generator.generateKeyPair().getPublic();
    NewClient client =
        new NewClient("Acme", List.of("10.0.0.1"), List.of("ledger-viewer"), weak, null);
    assertThat(catchThrowableOfType(KeyFileException.class, () -> store.add(client)).reason())
        .isEqualTo(KeyFileException.Reason.WEAK);
    assertThat(store.list()).isEmpty();
  }

  @Test
  void add_keyOfAnotherClient_namesThatClient() {
    Client first = store.add(acme(0));
    ClientException refused = refused(() -> store.add(acme(0)));
    assertThat(refused.reason()).isEqualTo(Reason.KEY_TAKEN);
    assertThat(refused).hasMessageContaining("belongs to client " + first.clientId());
    store.remove(first.clientId());
    assertThat(store.add(acme(0)).clientId()).isNotEqualTo(first.clientId());
  }

  @Test
  void update_givenFields_replaceOnlyThose() {
    Client added = store.add(acme(0));
    clock.advance(Duration.ofMinutes(1));
    Client renamed = store.update(added.clientId(), new ClientUpdate("Acme 2", null, null, null));
    assertThat(renamed.name()).isEqualTo("Acme 2");
    assertThat(renamed.whitelist()).isEqualTo(added.whitelist());
    assertThat(renamed.roles()).isEqualTo(added.roles());
    assertThat(renamed.updatedAt()).isEqualTo(clock.instant());
    assertThat(renamed.createdAt()).isEqualTo(added.createdAt());
    assertThat(renamed.revision()).isGreaterThan(added.revision());
    Client moved =
        store.update(
            added.clientId(),
            new ClientUpdate(null, List.of("10.0.0.1"), List.of("ledger-operator"), null));
    assertThat(moved.whitelist()).containsExactly("10.0.0.1");
    assertThat(moved.roles()).containsExactly("ledger-operator");
    assertThat(store.get(added.clientId())).isEqualTo(moved);
  }

  @Test
  void update_revisionOfBefore_throws() {
    Client added = store.add(acme(0));
    store.update(added.clientId(), new ClientUpdate("B", null, null, added.revision()));
    ClientUpdate late = new ClientUpdate("C", null, null, added.revision());
    assertThat(refused(() -> store.update(added.clientId(), late)).reason())
        .isEqualTo(Reason.CHANGED);
    assertThat(store.get(added.clientId()).name()).isEqualTo("B");
  }

  @Test
  void update_fieldNotAllowedOrNone_throws() {
    Client added = store.add(acme(0));
    for (ClientUpdate wrong :
        List.of(
            new ClientUpdate("", null, null, null),
            new ClientUpdate(null, List.of(), null, null),
            new ClientUpdate(null, null, List.of("admin"), null),
            new ClientUpdate(null, null, null, null))) {
      assertThat(refused(() -> store.update(added.clientId(), wrong)).reason())
          .isEqualTo(Reason.INVALID);
    }
    assertThat(store.get(added.clientId())).isEqualTo(added);
  }

  @Test
  void add_attributes_areFoundAsTheyWereReturned() {
    Map<String, AttributeSetting> attributes =
        Map.of(
            "customerId",
                AttributeSetting.of(List.of("b", "a ", "a", "'; DROP TABLE clients;--%_")),
            "region", AttributeSetting.EVERYTHING,
            "tenant", AttributeSetting.of(List.of("1F0E8C9A-3b5d-4c7e-9f21-6a8b0c2d4e6f")));
    Client added = store.add(acmeWith(attributes));
    assertThat(added.attributes()).containsOnlyKeys("customerId", "region", "tenant");
    assertThat(added.attributes().get("customerId").values())
        .containsExactly("'; DROP TABLE clients;--%_", "a", "a ", "b");
    assertThat(added.attributes().get("tenant").values())
        .containsExactly("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
    assertThat(added.attributes().get("region").isEverything()).isTrue();
    assertThat(store.find(added.clientId())).contains(added);
    assertThat(store.list()).containsExactly(added);
  }

  @Test
  void add_thousandValues_areKept() {
    List<String> values = IntStream.range(0, 1_000).mapToObj(i -> "customer " + i).toList();
    Client added = store.add(acmeWith(Map.of("customerId", AttributeSetting.of(values))));
    assertThat(store.get(added.clientId())).isEqualTo(added);
    assertThat(added.attributes().get("customerId").values()).hasSize(1_000);
  }

  @Test
  void add_attributeNotAllowed_throwsAndKeepsNothing() {
    for (Map.Entry<String, String> wrong :
        Map.of("region", "north", "customerId", "*", "nothing", "x").entrySet()) {
      Map<String, AttributeSetting> attributes =
          Map.of(wrong.getKey(), AttributeSetting.of(List.of(wrong.getValue())));
      assertThat(refused(() -> store.add(acmeWith(attributes))).reason()).isEqualTo(Reason.INVALID);
    }
    assertThat(store.list()).isEmpty();
  }

  @Test
  void update_attributes_changesOnlyThose() {
    Client added =
        store.add(
            acmeWith(
                Map.of(
                    "customerId", AttributeSetting.of(List.of("4711", "4712")),
                    "region", AttributeSetting.of(List.of("7")))));
    Client everything =
        store.update(
            added.clientId(), attributes(Map.of("customerId", AttributeSetting.EVERYTHING)));
    assertThat(everything.attributes())
        .containsOnly(
            Map.entry("customerId", AttributeSetting.EVERYTHING),
            Map.entry("region", AttributeSetting.of(List.of("7"))));
    assertThat(everything.revision()).isGreaterThan(added.revision());
    assertThat(store.get(added.clientId())).isEqualTo(everything);
    Client narrowed =
        store.update(
            added.clientId(),
            attributes(Map.of("customerId", AttributeSetting.of(List.of("4712"))), "region"));
    assertThat(narrowed.attributes())
        .containsOnly(Map.entry("customerId", AttributeSetting.of(List.of("4712"))));
    assertThat(store.get(added.clientId())).isEqualTo(narrowed);
    store.update(added.clientId(), new ClientUpdate("Acme 2", null, null, null));
    assertThat(store.get(added.clientId()).attributes()).isEqualTo(narrowed.attributes());
  }

  @Test
  void update_attributeThatIsUnknown_throws() {
    Client added = store.add(acme(0));
    ClientException refused =
        refused(() -> store.update(added.clientId(), attributes(Map.of(), "nothing")));
    assertThat(refused).hasMessageContaining("there is no attribute \"nothing\"");
    assertThat(store.update(added.clientId(), attributes(Map.of(), "region")).attributes())
        .isEmpty();
  }

  @Test
  void update_attributeThatLeftTheConfiguration_canBeRemoved() {
    Client added = store.add(acmeWith(Map.of("customerId", AttributeSetting.of(List.of("4711")))));
    ClientRules without = new ClientRules(TestRoles.ledger(), Attributes.parse(Map.of()));
    ClientStore later = new ClientStore(database(), without, clock, random);
    assertThat(later.get(added.clientId()).attributes()).containsOnlyKeys("customerId");
    assertThat(later.update(added.clientId(), attributes(Map.of(), "customerId")).attributes())
        .isEmpty();
  }

  @Test
  void attributes_everythingBesideAValueInTheTable_isTheValue() {
    Client added = store.add(acmeWith(Map.of("customerId", AttributeSetting.EVERYTHING)));
    database()
        .write(
            sql ->
                sql.sql(
                        "INSERT INTO client_attributes (client_id, name, kind, value)"
                            + " VALUES (?, 'customerId', 'value', '4711')")
                    .param(added.clientId())
                    .update());
    assertThat(store.get(added.clientId()).attributes())
        .containsOnly(Map.entry("customerId", AttributeSetting.of(List.of("4711"))));
  }

  @Test
  void remove_client_forgetsItsAttributes() {
    Client added = store.add(acmeWith(Map.of("customerId", AttributeSetting.EVERYTHING)));
    assertThat(store.remove(added.clientId()).attributes()).isEmpty();
    assertThat(
            database()
                .<Long>read(
                    sql ->
                        sql.sql("SELECT count(*) FROM client_attributes")
                            .query(Long.class)
                            .single()))
        .isZero();
  }

  @Test
  void disableAndEnable_changeTheStatus() {
    Client added = store.add(acme(0));
    assertThat(store.disable(added.clientId()).status()).isEqualTo(Status.DISABLED);
    assertThat(store.disable(added.clientId()).status()).isEqualTo(Status.DISABLED);
    assertThat(store.enable(added.clientId()).status()).isEqualTo(Status.ENABLED);
  }

  @Test
  void remove_client_leavesItsIdTaken() {
    Client added = store.add(acme(0));
    assertThat(store.remove(added.clientId()).keys()).isEmpty();
    assertThat(store.find(added.clientId())).isEmpty();
    assertThat(store.list()).isEmpty();
    assertThat(refused(() -> store.get(added.clientId()))).hasMessageContaining("was removed at");
    assertThat(refused(() -> store.enable(added.clientId())).reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(refused(() -> store.add(acme(0, added.clientId()))))
        .hasMessageContaining("an id is never used twice");
  }

  @Test
  void get_unknownOrMistyped_saysWhich() {
    assertThat(refused(() -> store.get("nobody")))
        .hasMessage("there is no client with the clientId nobody");
    assertThat(refused(() -> store.get("cl-000000000000000102"))).hasMessageEndingWith("mistyped");
  }

  @Test
  void addKey_withEndForOthers_bothVerifyUntilThen() {
    String id = store.add(acme(0)).clientId();
    clock.advance(Duration.ofDays(1));
    Instant end = clock.instant().plus(Duration.ofDays(7));
    Client rotating = store.addKey(id, RsaKeyPairs.publicKey(1), end);
    assertThat(rotating.keys()).extracting(ClientKey::endsAt).containsExactly(end, null);
    assertThat(store.get(id)).isEqualTo(rotating);
    assertThat(rotating.liveKeys(end.minusMillis(1))).hasSize(2);
    assertThat(rotating.liveKeys(end)).containsExactly(rotating.keys().getLast());
  }

  @Test
  void addKey_endingOthersNow_leavesTheNewOneAlone() {
    String id = store.add(acme(0)).clientId();
    clock.advance(Duration.ofMinutes(1));
    Client rotated = store.addKey(id, RsaKeyPairs.publicKey(1), clock.instant().minusSeconds(5));
    assertThat(rotated.liveKeys(clock.instant()))
        .extracting(ClientKey::fingerprint)
        .containsExactly(rotated.keys().getLast().fingerprint());
    assertThat(rotated.keys()).hasSize(2);
    clock.advance(Duration.ofSeconds(1));
    assertThat(store.addKey(id, RsaKeyPairs.publicKey(2), null).keys()).hasSize(2);
  }

  @Test
  void addKey_thirdLiveOne_throws() {
    String id = store.add(acme(0)).clientId();
    store.addKey(id, RsaKeyPairs.publicKey(1), clock.instant().plusSeconds(60));
    assertThat(refused(() -> store.addKey(id, RsaKeyPairs.publicKey(2), null)).reason())
        .isEqualTo(Reason.TOO_MANY_KEYS);
    clock.advance(Duration.ofSeconds(60));
    assertThat(store.addKey(id, RsaKeyPairs.publicKey(2), null).liveKeys(clock.instant()))
        .hasSize(2);
  }

  @Test
  void addKey_registeredAlready_throws() {
    String id = store.add(acme(0)).clientId();
    Client other = store.add(acme(1));
    assertThat(refused(() -> store.addKey(id, RsaKeyPairs.publicKey(0), null)))
        .hasMessageContaining("is already a key of this client");
    assertThat(refused(() -> store.addKey(id, RsaKeyPairs.publicKey(1), null)))
        .hasMessageContaining("belongs to client " + other.clientId());
  }

  @Test
  void addKey_againAfterItsEnd_isTaken() {
    String id = store.add(acme(0)).clientId();
    store.addKey(id, RsaKeyPairs.publicKey(1), clock.instant());
    clock.advance(Duration.ofSeconds(1));
    assertThat(store.addKey(id, RsaKeyPairs.publicKey(0), null).liveKeys(clock.instant()))
        .hasSize(2);
  }

  @Test
  void removeKey_byBeginningOfItsFingerprint_removesIt() {
    Client added = store.add(acme(0));
    clock.advance(Duration.ofMinutes(1));
    Client two = store.addKey(added.clientId(), RsaKeyPairs.publicKey(1), null);
    String first = two.keys().getFirst().fingerprint();
    Client one = store.removeKey(added.clientId(), first.substring("SHA256:".length(), 20));
    assertThat(one.keys()).containsExactly(two.keys().getLast());
    assertThat(store.get(added.clientId())).isEqualTo(one);
  }

  @Test
  void removeKey_lastLiveOne_throws() {
    Client added = store.add(acme(0));
    clock.advance(Duration.ofMinutes(1));
    String only = added.keys().getFirst().fingerprint();
    assertThat(refused(() -> store.removeKey(added.clientId(), only)).reason())
        .isEqualTo(Reason.LAST_KEY);
    Client rotated = store.addKey(added.clientId(), RsaKeyPairs.publicKey(1), clock.instant());
    assertThat(
            refused(
                () -> store.removeKey(added.clientId(), rotated.keys().getLast().fingerprint())))
        .hasMessageContaining("is the last live key");
    assertThat(store.removeKey(added.clientId(), only).keys()).hasSize(1);
  }

  @Test
  void removeKey_noneOrSeveralFit_listsTheFingerprints() {
    Client added = store.add(acme(0));
    store.addKey(added.clientId(), RsaKeyPairs.publicKey(1), null);
    for (String fingerprint : List.of("", "SHA256:", "SHA256:?", "x".repeat(50))) {
      ClientException refused = refused(() -> store.removeKey(added.clientId(), fingerprint));
      assertThat(refused.reason()).isEqualTo(Reason.KEY_NOT_FOUND);
      assertThat(refused).hasMessageContaining(added.keys().getFirst().fingerprint());
    }
  }

  @Test
  void changes_atOnce_eachHaveARevisionOfTheirOwn() throws Exception {
    String id = store.add(acme(0)).clientId();
    List<Long> revisions = new ArrayList<>();
    try (TestThreads threads = TestThreads.of(8)) {
      List<Future<Client>> changes = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        ClientUpdate update = new ClientUpdate("Acme " + i, null, null, null);
        changes.add(threads.submit(() -> store.update(id, update)));
      }
      for (Future<Client> change : changes) {
        revisions.add(Waits.forResult(change).revision());
      }
    }
    assertThat(revisions).doesNotHaveDuplicates().hasSize(80);
  }

  @Test
  void twoKeys_addedAtOnce_areNeverThreeLive() throws Exception {
    String id = store.add(acme(0)).clientId();
    try (TestThreads threads = TestThreads.of(2)) {
      List<Future<?>> changes = new ArrayList<>();
      for (int i = 1; i <= 2; i++) {
        RSAPublicKey key = RsaKeyPairs.publicKey(i);
        changes.add(threads.submit(() -> store.addKey(id, key, null)));
      }
      long refused = 0;
      for (Future<?> change : changes) {
        try {
          Waits.forResult(change);
        } catch (java.util.concurrent.ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(ClientException.class);
          refused++;
        }
      }
      assertThat(refused).isEqualTo(1);
    }
    assertThat(store.get(id).liveKeys(clock.instant())).hasSize(2);
  }

  @Test
  void afterEachChange_isToldOfChangesAlone() {
    List<String> told = new ArrayList<>();
    store.afterEachChange(() -> told.add("changed"));
    String id = store.add(acme(0)).clientId();
    store.disable(id);
    store.list();
    refused(() -> store.disable("nobody"));
    assertThat(told).hasSize(2);
  }

  private static ClientException refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable change) {
    ClientException refused = catchThrowableOfType(ClientException.class, change);
    assertThat(refused).isNotNull();
    return refused;
  }

  private static NewClient acme(int key) {
    return acme(key, null);
  }

  private static NewClient acmeWith(Map<String, AttributeSetting> attributes) {
    return new NewClient(
        "Acme",
        List.of("203.0.113.7"),
        List.of("ledger-viewer"),
        attributes,
        RsaKeyPairs.publicKey(0),
        null);
  }

  private static ClientUpdate attributes(Map<String, AttributeSetting> set, String... removed) {
    return new ClientUpdate(null, null, null, set, Set.of(removed), null);
  }

  private static NewClient acme(int key, String clientId) {
    return new NewClient(
        "Acme",
        List.of("203.0.113.7", "2001:db8::/32"),
        List.of("ledger-viewer"),
        RsaKeyPairs.publicKey(key),
        clientId);
  }

  private static NewClient client(
      String name, List<String> whitelist, List<String> roles, String clientId) {
    return new NewClient(name, whitelist, roles, RsaKeyPairs.publicKey(0), clientId);
  }
}
