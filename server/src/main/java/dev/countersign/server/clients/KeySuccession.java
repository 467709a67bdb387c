package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.DISABLED;
import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
  private final AuditTrail trail;
  private final Clock clock;

  KeySuccession(AuditTrail trail, Clock clock) {
    this.trail = trail;
    this.clock = clock;
  }

  /**
   * Adds the successor in the caller's transaction. Of several at once, on all nodes, one is added.
   *
   * @param next a key whose private half the client has been shown to hold
   * @param overlap for how long the present key stays live
   * @throws ClientException where the client is gone or disabled, or the key has had its time
   * @throws dev.countersign.signatures.keys.KeyFileException where the key is too weak
   */
  public Succession succeed(JdbcClient sql, Author client, RSAPublicKey next, Duration overlap) {
    RsaKeyRules.check(next);
    ClientRows rows = new ClientRows(sql);
    long revision = rows.nextRevision();
    Client before = require(rows, client.name());
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ClientKey key = ClientStore.key(next, now);
    List<ClientKey> live = before.liveKeys(now);
    Optional<ClientKey> known = live.stream().filter(k -> isSame(k, key)).findFirst();
    if (known.isPresent() && known.get().endsAt() == null) {
      return live(known.get(), live, false);
    }
    requireUnused(sql, rows, key, before.clientId());
    if (live.size() > 1) {
      return new Succession.Pending(firstEnd(live));
    }
    Client after =
        before
            .withKeys(KeyRotation.add(before.keys(), key, now.plus(overlap), now))
            .changedAt(now, revision);
    rows.update(after);
    rows.replaceKeys(after);
    trail.append(sql, client, ClientChange.ofProvenKey(before, after));
    return live(key, after.liveKeys(now), true);
  }

  private static Client require(ClientRows rows, String clientId) {
    Client client = ClientConflicts.require(rows, clientId);
    if (client.status() != Status.ENABLED) {
      throw new ClientException(DISABLED, "client " + clientId + " is disabled");
    }
    return client;
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
