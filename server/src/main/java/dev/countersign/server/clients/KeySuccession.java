package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;

import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.Permission;
import dev.countersign.server.access.RegisteredClient;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lets a client name the successor of its own key: the new key is live at once, the old one ends
 * after an overlap in which both verify.
 *
 * <p>A key serves once: neither another client's key nor one that this client had before comes back
 * this way, so that a key which was given up, perhaps because it leaked, stays given up.
 */
public final class KeySuccession {
  /** What it takes; no role has it unless the operator gives it to one. */
  public static final Permission PERMISSION = Permission.of("integrations:keys:create");

  private final AuditTrail trail;
  private final Clock clock;
  private final Function<Client, RegisteredClient> reader;

  KeySuccession(AuditTrail trail, Clock clock, Function<Client, RegisteredClient> reader) {
    this.trail = trail;
    this.clock = clock;
    this.reader = reader;
  }

  /**
   * Adds the successor in the caller's transaction. Of several at once, on all nodes, one is added.
   *
   * @param next a key that passed {@link dev.countersign.signatures.keys.RsaKeyRules#check}, which
   *     would hold up every other change here, and whose private half the client holds
   * @param overlap for how long the present key stays live
   * @throws ClientException where the key has had its time
   * @throws dev.countersign.server.access.DeniedException where the client is gone or may no longer
   *     do this, or its own key has ended since it signed
   */
  public Succession succeed(
      JdbcClient sql, CallingClient caller, RSAPublicKey next, Duration overlap) {
    ClientRows rows = new ClientRows(sql);
    long revision = rows.nextRevision();
    Optional<Client> committed =
        rows.find(caller.clientId()).filter(client -> client.status() != Status.REMOVED);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    caller.requireStill(committed.map(reader), PERMISSION, now);
    Client before = committed.orElseThrow();
    ClientKey key = ClientStore.key(next, now);
    List<ClientKey> live = before.liveKeys(now);
    Optional<ClientKey> known = live.stream().filter(k -> isSame(k, key)).findFirst();
    if (known.isPresent() && known.get().endsAt() == null) {
      return live(known.get(), live, false);
    }
    requireUnused(sql, rows, key, before.clientId());
    requireOtherModulus(before, next);
    if (live.size() > 1) {
      return new Succession.Pending(firstEnd(live));
    }
    Client after =
        before
            .withKeys(KeyRotation.add(before.keys(), key, now.plus(overlap), now))
            .changedAt(now, revision);
    rows.update(after);
    rows.replaceKeys(after);
    trail.append(
        sql,
        Author.client(caller.clientId(), caller.address()),
        ClientChange.ofRotation(before, after, caller.fingerprint()));
    return live(key, after.liveKeys(now), true);
  }

  /** With another exponent it is the same key: whoever has factored the one has the other. */
  private static void requireOtherModulus(Client client, RSAPublicKey next) {
    for (ClientKey key : client.keys()) {
      if (modulus(key).equals(next.getModulus())) {
        throw new ClientException(
            KEY_TAKEN,
            "the key has the modulus of key " + key.fingerprint() + "; make a new key pair");
      }
    }
  }

  private static BigInteger modulus(ClientKey key) {
    return RsaPublicKeys.read(key.publicKey(), CryptoProvider.jdk()).getModulus();
  }

  private void requireUnused(JdbcClient sql, ClientRows rows, ClientKey key, String clientId) {
    // Whose key it is, is nothing that one client is told of another.
    boolean taken =
        rows.ownerOf(key.fingerprint()).isPresent()
            || trail.names(sql, "client:" + clientId, key.fingerprint());
    if (taken) {
      throw new ClientException(
          KEY_TAKEN,
          "key " + key.fingerprint() + " is in use or was used before; make a new key pair");
    }
  }

  private static Succession live(ClientKey key, List<ClientKey> live, boolean isNew) {
    ClientKey other = live.stream().filter(k -> !isSame(k, key)).findFirst().orElse(null);
    return new Succession.Live(key, other, isNew);
  }

  private static boolean isSame(ClientKey one, ClientKey other) {
    return one.fingerprint().equals(other.fingerprint());
  }

  private static @Nullable Instant firstEnd(List<ClientKey> live) {
    return live.stream()
        .map(ClientKey::endsAt)
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }
}
