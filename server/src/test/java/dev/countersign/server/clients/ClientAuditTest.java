package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.audit.ChainVerification;
import dev.countersign.server.clients.ClientException.Reason;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each change of a client is in the audit trail, with its differences and nothing else. */
@ParameterizedClass
@MethodSource(TestStore.OF_THIS_RUN)
class ClientAuditTest {
  @Parameter private TestStore kind;
  @TempDir private Path data;
  private final TestClock clock = new TestClock();
  private Database database;
  private ClientStore clients;
  private AuditTrail trail;

  @BeforeEach
  void open() {
    database = kind.open(data);
    trail = new AuditTrail(database, clock);
    clients =
        new ClientStore(database, TestRoles.rules(), clock, new Random(5))
            .by(Author.operator("ada", "203.0.113.9"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void add_client_isWrittenWhole() {
    Client client = add();
    AuditEntry entry = last();
    assertThat(entry.author()).isEqualTo("ada");
    assertThat(entry.channel()).isEqualTo("portal");
    assertThat(entry.address()).isEqualTo("203.0.113.9");
    assertThat(entry.at()).isEqualTo(clock.instant());
    assertChange("client.added", client);
    assertThat(entry.before()).isEqualTo("{}");
    assertThat(entry.after())
        .isEqualTo(
            "{\"keys\":["
                + key(client, 0, null)
                + "],\"name\":\"Acme\",\"roles\":[\"ledger-viewer\"],\"status\":\"enabled\","
                + "\"whitelist\":[\"10.0.0.1\"]}");
  }

  @Test
  void update_someFields_writesThoseThatDiffer() {
    Client client = add();
    clients.update(
        client.clientId(),
        new ClientUpdate("Acme 2", List.of("0.0.0.0"), List.of("ledger-viewer"), null));
    assertChange("client.updated", client);
    assertThat(last().before()).isEqualTo("{\"name\":\"Acme\",\"whitelist\":[\"10.0.0.1\"]}");
    assertThat(last().after()).isEqualTo("{\"name\":\"Acme 2\",\"whitelist\":[\"0.0.0.0\"]}");
  }

  @Test
  void update_attributes_writesThoseThatDiffer() {
    Client client = add();
    set(client, "customerId", AttributeSetting.of(List.of("4711")));
    assertThat(last().before()).isEqualTo("{}");
    assertThat(last().after()).isEqualTo("{\"attributes\":{\"customerId\":[\"4711\"]}}");
    set(client, "region", AttributeSetting.of(List.of("7")));
    assertThat(last().after()).isEqualTo("{\"attributes\":{\"region\":[\"7\"]}}");
    set(client, "customerId", AttributeSetting.EVERYTHING);
    assertChange("client.updated", client);
    assertThat(last().before()).isEqualTo("{\"attributes\":{\"customerId\":[\"4711\"]}}");
    assertThat(last().after()).isEqualTo("{\"attributes\":{\"customerId\":\"*\"}}");
    clients.remove(client.clientId());
    assertThat(last().before())
        .contains("\"attributes\":{\"customerId\":\"*\",\"region\":[\"7\"]}");
    assertThat(last().after()).isEqualTo("{}");
  }

  @Test
  void update_aThousandValues_writesOnlyTheValuesThatDiffer() {
    Client client = add();
    List<String> values = IntStream.range(0, 1_000).mapToObj(i -> "customer-" + i).toList();
    set(client, "customerId", AttributeSetting.of(values));
    assertThat(last().after()).contains("\"count\":1000", "customer-0", "customer-999");
    set(client, "customerId", AttributeSetting.of(values.subList(1, 1_000)));
    assertThat(last().before())
        .isEqualTo(
            "{\"attributes\":{\"customerId\":{\"count\":1000,\"differing\":[\"customer-0\"]}}}");
    assertThat(last().after())
        .isEqualTo("{\"attributes\":{\"customerId\":{\"count\":999,\"differing\":[]}}}");
  }

  private void set(Client client, String name, AttributeSetting setting) {
    clients.update(
        client.clientId(),
        new ClientUpdate(null, null, null, Map.of(name, setting), Set.of(), null));
  }

  @Test
  void update_toTheSame_isWrittenWithoutAnyField() {
    Client client = add();
    clients.update(client.clientId(), new ClientUpdate("Acme", null, null, null));
    assertChange("client.updated", client);
    assertThat(last().before()).isEqualTo("{}");
    assertThat(last().after()).isEqualTo("{}");
  }

  @Test
  void disableAndEnable_client_writeTheStatus() {
    Client client = add();
    clients.disable(client.clientId());
    assertChange("client.disabled", client);
    assertThat(last().before()).isEqualTo("{\"status\":\"enabled\"}");
    assertThat(last().after()).isEqualTo("{\"status\":\"disabled\"}");
    clients.enable(client.clientId());
    assertChange("client.enabled", client);
    assertThat(last().before()).isEqualTo("{\"status\":\"disabled\"}");
    assertThat(last().after()).isEqualTo("{\"status\":\"enabled\"}");
  }

  @Test
  void remove_client_writesWhatItWas() {
    Client client = add();
    String added = last().after();
    clients.remove(client.clientId());
    assertChange("client.removed", client);
    assertThat(last().before()).isEqualTo(added);
    assertThat(last().after()).isEqualTo("{}");
  }

  @Test
  void addKey_endingTheOther_writesBoth() {
    Client client = add();
    Instant end = clock.instant().plus(Duration.ofDays(7));
    Client both = clients.addKey(client.clientId(), RsaKeyPairs.publicKey(1), end);
    assertChange("client.key-added", client);
    assertThat(last().before()).isEqualTo("{\"keys\":[" + key(client, 0, null) + "]}");
    assertThat(last().after())
        .contains(key(client, 0, end))
        .contains(key(both, RsaKeyPairs.publicKey(1), null))
        .startsWith("{\"keys\":[{")
        .doesNotContain("name");
  }

  @Test
  void addKey_besideTheOther_writesTheNewOneAlone() {
    Client client = add();
    Client both = clients.addKey(client.clientId(), RsaKeyPairs.publicKey(1), null);
    assertThat(last().before()).isEqualTo("{}");
    assertThat(last().after())
        .isEqualTo("{\"keys\":[" + key(both, RsaKeyPairs.publicKey(1), null) + "]}");
  }

  @Test
  void removeKey_ofTwo_writesThatOne() {
    Client client = add();
    clients.addKey(client.clientId(), RsaKeyPairs.publicKey(1), null);
    clients.removeKey(client.clientId(), client.keys().getFirst().fingerprint());
    assertChange("client.key-removed", client);
    assertThat(last().before()).isEqualTo("{\"keys\":[" + key(client, 0, null) + "]}");
    assertThat(last().after()).isEqualTo("{}");
  }

  @Test
  void setKeyEnd_ofTwo_writesBothEnds() {
    Client client = add();
    String old = client.keys().getFirst().fingerprint();
    Instant end = clock.instant().plus(Duration.ofDays(7));
    clients.addKey(client.clientId(), RsaKeyPairs.publicKey(1), end);
    Client later = clients.setKeyEnd(client.clientId(), old, end.plusSeconds(60).plusNanos(9));
    assertChange("client.key-end-set", client);
    assertThat(ending(later, old)).isEqualTo(end.plusSeconds(60));
    assertThat(clients.get(client.clientId())).isEqualTo(later);
    assertThat(last().before()).isEqualTo("{\"keys\":[" + key(client, 0, end) + "]}");
    assertThat(last().after())
        .isEqualTo("{\"keys\":[" + key(client, 0, end.plusSeconds(60)) + "]}");
    assertThat(ending(clients.setKeyEnd(client.clientId(), old, null), old)).isNull();
    Client ended = clients.setKeyEnd(client.clientId(), old, Instant.EPOCH);
    assertThat(ending(ended, old)).isEqualTo(clock.instant());
    assertThat(ended.liveKeys(clock.instant())).hasSize(1);
  }

  @Test
  void setKeyEnd_thatLeavesNoLiveKey_isRefused() {
    Client client = add();
    String id = client.clientId();
    String old = client.keys().getFirst().fingerprint();
    Instant end = clock.instant().plus(Duration.ofDays(7));
    refused(Reason.LAST_KEY, () -> clients.setKeyEnd(id, old, end));
    Client both = clients.addKey(id, RsaKeyPairs.publicKey(1), end);
    String successor = fingerprint(both, RsaKeyPairs.publicKey(1));
    refused(Reason.LAST_KEY, () -> clients.setKeyEnd(id, successor, end));
    assertThat(ending(clients.setKeyEnd(id, successor, end.minusMillis(1)), successor))
        .isEqualTo(end.minusMillis(1));
    clock.advance(Duration.ofDays(6));
    refused(Reason.KEY_NOT_FOUND, () -> clients.setKeyEnd(id, "SHA256:none", null));
    clients.setKeyEnd(id, successor, null);
    clock.advance(Duration.ofDays(2));
    refused(Reason.INVALID, () -> clients.setKeyEnd(id, old, null));
  }

  @Test
  void change_thatIsRefused_writesNothing() {
    Client client = add();
    String id = client.clientId();
    clients.update(id, new ClientUpdate("Acme 2", null, null, client.revision()));
    long written = entries().size();
    refused(Reason.KEY_TAKEN, this::add);
    refused(
        Reason.CHANGED,
        () -> clients.update(id, new ClientUpdate("Acme 3", null, null, client.revision())));
    refused(Reason.INVALID, () -> clients.update(id, new ClientUpdate(" ", null, null, null)));
    refused(Reason.NOT_FOUND, () -> clients.disable("nobody"));
    refused(Reason.KEY_TAKEN, () -> clients.addKey(id, RsaKeyPairs.publicKey(0), null));
    refused(Reason.LAST_KEY, () -> clients.removeKey(id, client.keys().getFirst().fingerprint()));
    assertThat(entries()).hasSize((int) written);
    assertThat(trail.verify()).isInstanceOf(ChainVerification.Intact.class);
  }

  @Test
  void change_whoseEntryCannotBeWritten_isNotMade() {
    Client client = add();
    database.write(sql -> sql.sql("ALTER TABLE audit_entries RENAME TO gone").update());
    assertThatThrownBy(() -> clients.disable(client.clientId())).isInstanceOf(Exception.class);
    assertThat(clients.get(client.clientId())).isEqualTo(client);
  }

  @Test
  void by_anotherAuthor_sharesEverythingElse() {
    AtomicInteger changes = new AtomicInteger();
    clients.afterEachChange(changes::incrementAndGet);
    Client client = add();
    clients.by(Author.command("bob")).disable(client.clientId());
    assertThat(last().author()).isEqualTo("bob");
    assertThat(last().channel()).isEqualTo("command");
    assertThat(last().address()).isNull();
    clients.enable(client.clientId());
    assertThat(last().author()).isEqualTo("ada");
    assertThat(changes).hasValue(3);
  }

  @Test
  void change_byNobody_isTheServices() {
    ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(6));
    store.disable(add().clientId());
    assertThat(last().author()).isEqualTo("countersign");
    assertThat(last().channel()).isEqualTo("service");
  }

  @Test
  void entries_ofKeys_holdNoKey() {
    Client client = add();
    clients.addKey(client.clientId(), RsaKeyPairs.publicKey(1), clock.instant());
    assertThat(entries())
        .allSatisfy(
            entry ->
                assertThat(entry.before() + entry.after())
                    .doesNotContain(client.keys().getFirst().publicKey())
                    .doesNotContain("publicKey"));
  }

  private Client add() {
    return clients.add(
        new NewClient(
            "Acme", List.of("10.0.0.1"), List.of("ledger-viewer"), RsaKeyPairs.publicKey(0), null));
  }

  private List<AuditEntry> entries() {
    return trail.page(AuditFilter.all(), 0, 100).entries();
  }

  private AuditEntry last() {
    return entries().getFirst();
  }

  private void assertChange(String action, Client client) {
    assertThat(last().action()).isEqualTo(action);
    assertThat(last().subject()).isEqualTo("client:" + client.clientId());
  }

  private static void refused(Reason reason, ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOfSatisfying(
            ClientException.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private static Instant ending(Client client, String fingerprint) {
    return client.keys().stream()
        .filter(key -> key.fingerprint().equals(fingerprint))
        .findFirst()
        .orElseThrow()
        .endsAt();
  }

  private static String fingerprint(Client client, PublicKey key) {
    String encoded = Base64.getEncoder().encodeToString(key.getEncoded());
    return client.keys().stream()
        .filter(candidate -> candidate.publicKey().equals(encoded))
        .findFirst()
        .orElseThrow()
        .fingerprint();
  }

  private static String key(Client client, PublicKey key, Instant end) {
    return json(fingerprint(client, key), end);
  }

  private static String key(Client client, int index, Instant end) {
    return json(client.keys().get(index).fingerprint(), end);
  }

  private static String json(String fingerprint, Instant end) {
    String ending = end == null ? "" : "\"endsAt\":\"" + end + "\",";
    return "{\"bits\":2048," + ending + "\"fingerprint\":\"" + fingerprint + "\"}";
  }
}
