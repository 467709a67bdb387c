package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;

import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
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
 * Lets a client rotate its own key. The new key is live at once; the old key ends after an overlap,
 * during which both keys verify signatures.
 *
 * <p>A key can be added only once. A rotation refuses a key of another client, and a former key of
 * this client, which may have been given up because it leaked. Two rotations by the same client are
 * at least an interval apart, so that a client cannot keep the store busy with changes.
 */
public final class ClientKeyRotation {
  /** The permission for rotating keys. A role has it only if the operator adds it to that role. */
  public static final Permission PERMISSION = Permission.of("integrations:keys:create");

  private final AuditTrail trail;
  private final Clock clock;
  private final Function<Client, RegisteredClient> reader;
  private final Duration interval;

  ClientKeyRotation(
      AuditTrail trail, Clock clock, Function<Client, RegisteredClient> reader, Duration interval) {
    this.trail = trail;
    this.clock = clock;
    this.reader = reader;
    this.interval = interval;
  }

  /**
   * Adds the next key in the caller's transaction. Of several concurrent requests, even on
   * different nodes, only one succeeds.
   *
   * @param next the new key. The caller has checked it with {@link
   *     dev.countersign.signatures.keys.RsaKeyRules#check}, which is too slow for this transaction,
   *     and the client has proven that it holds the private key
   * @param overlap how long the present key stays live
   * @throws ClientException if the key is or was in use
   * @throws dev.countersign.server.access.outcome.DeniedException if the client was removed, may no
   *     longer rotate keys, or signed with a key that has ended since
   */
  public RotationOutcome rotate(
      JdbcClient sql, CallingClient caller, RSAPublicKey next, Duration overlap) {
    ClientRows rows = new ClientRows(sql);
    Optional<RotationOutcome> waiting = waiting(rows, caller, next);
    if (waiting.isPresent()) {
      return waiting.get();
    }
    rows.lockChanges();
    ClientKey key = key(next);
    Decision decision = decide(rows, caller, key, next);
    return decision.outcome.orElseGet(() -> change(sql, caller, decision.client, key, overlap));
  }

  private ClientKey key(RSAPublicKey key) {
    return ClientStore.key(key, clock.instant().truncatedTo(ChronoUnit.MILLIS));
  }

  /**
   * Returns the outcome if the rotation has to wait.
   *
   * <p>Design note: this decision takes no lock, because all changes to clients wait for the lock,
   * and a client can ask as often as it likes. Without the lock, another rotation may be committed
   * between two statements, so any other outcome is decided again with the lock.
   */
  private Optional<RotationOutcome> waiting(
      ClientRows rows, CallingClient caller, RSAPublicKey next) {
    try {
      return decide(rows, caller, key(next), next)
          .outcome
          .filter(outcome -> !(outcome instanceof RotationOutcome.Live));
    } catch (ClientException taken) {
      return Optional.empty();
    }
  }

  /**
   * The decision whether a key can be added.
   *
   * @param outcome the outcome; empty if the key can be added
   */
  private record Decision(Client client, Optional<RotationOutcome> outcome) {}

  /** Decides whether the key can be added, and changes nothing. */
  private Decision decide(ClientRows rows, CallingClient caller, ClientKey key, RSAPublicKey next) {
    Instant now = key.addedAt();
    // Read before the keys: without the lock, another rotation may be committed between the two
    // statements. The keys then show it.
    Optional<Instant> last = rows.lastRotation(caller.clientId(), now.minus(interval));
    Optional<Client> committed =
        rows.find(caller.clientId()).filter(client -> client.status() != Status.REMOVED);
    caller.requireUnchanged(committed.map(reader), now).require(PERMISSION);
    Client client = committed.orElseThrow();
    List<ClientKey> live = client.liveKeys(now);
    Optional<ClientKey> known = live.stream().filter(k -> isSame(k, key)).findFirst();
    if (known.isPresent() && known.get().endsAt() == null) {
      return new Decision(client, Optional.of(live(known.get(), live, false)));
    }
    requireUnused(rows, key, client.clientId());
    requireOtherModulus(client, next);
    if (live.size() > 1) {
      return new Decision(client, Optional.of(new RotationOutcome.Pending(firstEnd(live))));
    }
    Optional<RotationOutcome> tooSoon =
        last.filter(at -> interval.isPositive())
            .map(at -> new RotationOutcome.TooSoon(at, at.plus(interval)));
    return new Decision(client, tooSoon);
  }

  private RotationOutcome change(
      JdbcClient sql, CallingClient caller, Client before, ClientKey key, Duration overlap) {
    ClientRows rows = new ClientRows(sql);
    Instant now = key.addedAt();
    Client after =
        before
            .withKeys(LiveKeys.add(before.keys(), key, now.plus(overlap), now))
            .changedAt(now, rows.nextRevision());
    rows.write(before, after);
    rows.noteRotation(after.clientId(), key);
    trail.append(
        sql,
        Author.client(caller.clientId(), caller.address()),
        ClientChange.ofRotation(before, after, caller.fingerprint()));
    return live(key, after.liveKeys(now), true);
  }

  /**
   * Refuses a key that shares its modulus with a key of this client. Somebody who can factor the
   * modulus knows the private halves of both keys, even if their exponents differ.
   */
  private static void requireOtherModulus(Client client, RSAPublicKey next) {
    for (ClientKey key : client.keys()) {
      if (modulus(key).equals(next.getModulus())) {
        throw new ClientException(
            KEY_TAKEN,
            "the key has the same modulus as key "
                + key.fingerprint()
                + "; generate a new key pair");
      }
    }
  }

  private static BigInteger modulus(ClientKey key) {
    return RsaPublicKeys.read(key.publicKey(), CryptoProvider.jdk()).getModulus();
  }

  private static void requireUnused(ClientRows rows, ClientKey key, String clientId) {
    // The message never reveals which client owns a key.
    boolean taken =
        rows.ownerOf(key.fingerprint()).isPresent() || rows.wasKeyOf(clientId, key.fingerprint());
    if (taken) {
      throw new ClientException(
          KEY_TAKEN,
          "key " + key.fingerprint() + " is in use or was used before; generate a new key pair");
    }
  }

  private static RotationOutcome live(ClientKey key, List<ClientKey> live, boolean isNew) {
    ClientKey other = live.stream().filter(k -> !isSame(k, key)).findFirst().orElse(null);
    return new RotationOutcome.Live(key, other, isNew);
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
