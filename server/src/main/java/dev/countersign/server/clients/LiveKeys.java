package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.INVALID;
import static dev.countersign.server.clients.ClientException.Reason.KEY_NOT_FOUND;
import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;
import static dev.countersign.server.clients.ClientException.Reason.LAST_KEY;
import static dev.countersign.server.clients.ClientException.Reason.TOO_MANY_KEYS;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a client's live keys. A client has at most two live keys. The last live key cannot
 * be removed.
 */
final class LiveKeys {
  private static final int MAX_LIVE = 2;
  private static final String PREFIX = "SHA256:";

  // The order in which the store returns keys.
  private static final Comparator<ClientKey> OLDEST_FIRST =
      Comparator.comparing(ClientKey::addedAt).thenComparing(ClientKey::fingerprint);

  private LiveKeys() {}

  /**
   * Returns the live keys and the added key. Keys that have ended are dropped.
   *
   * @param endOthersAt when the other live keys end; a past time means now. Null leaves them
   *     unchanged
   */
  static List<ClientKey> add(
      List<ClientKey> keys, ClientKey added, @Nullable Instant endOthersAt, Instant now) {
    List<ClientKey> next = new ArrayList<>();
    for (ClientKey key : keys) {
      if (key.fingerprint().equals(added.fingerprint()) && key.isLiveAt(now)) {
        throw new ClientException(
            KEY_TAKEN, "key " + key.fingerprint() + " is already a key of this client");
      }
      if (key.isLiveAt(now) && !key.fingerprint().equals(added.fingerprint())) {
        next.add(
            endOthersAt == null
                ? key
                : endingBy(key, endOthersAt.isBefore(now) ? now : endOthersAt));
      }
    }
    if (next.stream().filter(key -> key.isLiveAt(now)).count() >= MAX_LIVE) {
      throw new ClientException(
          TOO_MANY_KEYS,
          "a client can have at most two live keys; remove one first, or end the others now");
    }
    next.add(added);
    next.sort(OLDEST_FIRST);
    return next;
  }

  /**
   * Returns the keys without the key that has this fingerprint.
   *
   * @param fingerprint the key's fingerprint or the beginning of it, with or without {@code
   *     SHA256:}
   */
  static List<ClientKey> remove(List<ClientKey> keys, String fingerprint, Instant now) {
    ClientKey removed = onlyMatch(keys, fingerprint);
    List<ClientKey> next = keys.stream().filter(key -> !key.equals(removed)).toList();
    if (removed.isLiveAt(now) && next.stream().noneMatch(key -> key.isLiveAt(now))) {
      throw new ClientException(
          LAST_KEY,
          "key "
              + removed.fingerprint()
              + " is the last live key of this client; add another key first, or disable or remove"
              + " the client");
    }
    return next;
  }

  /**
   * Returns the keys with a new end for one of them.
   *
   * @param fingerprint the key's fingerprint or the beginning of it, with or without {@code
   *     SHA256:}
   * @param end the new end; a past time means now, and null means no end
   */
  static List<ClientKey> end(
      List<ClientKey> keys, String fingerprint, @Nullable Instant end, Instant now) {
    ClientKey key = onlyMatch(keys, fingerprint);
    if (!key.isLiveAt(now)) {
      throw new ClientException(
          INVALID, "key " + key.fingerprint() + " ended at " + key.endsAt() + "; add it again");
    }
    Instant at = end != null && end.isBefore(now) ? now : end;
    if (at != null && keys.stream().noneMatch(other -> !other.equals(key) && other.isLiveAt(at))) {
      throw new ClientException(
          LAST_KEY,
          "no other key of this client is live at "
              + at
              + "; first add a key that replaces key "
              + key.fingerprint()
              + ", or disable or remove the client");
    }
    return keys.stream().map(other -> other.equals(key) ? withEnd(key, at) : other).toList();
  }

  private static ClientKey onlyMatch(List<ClientKey> keys, String fingerprint) {
    String start = fingerprint.startsWith(PREFIX) ? fingerprint : PREFIX + fingerprint;
    List<ClientKey> found =
        keys.stream().filter(key -> key.fingerprint().startsWith(start)).toList();
    if (found.size() != 1 || start.equals(PREFIX)) {
      throw new ClientException(
          KEY_NOT_FOUND,
          (found.isEmpty() ? "no key" : "more than one key")
              + " of this client has a fingerprint that begins like this; its keys are "
              + String.join(", ", keys.stream().map(ClientKey::fingerprint).toList()));
    }
    return found.getFirst();
  }

  private static ClientKey endingBy(ClientKey key, Instant end) {
    boolean endsSooner = key.endsAt() != null && key.endsAt().isBefore(end);
    return endsSooner ? key : withEnd(key, end);
  }

  private static ClientKey withEnd(ClientKey key, @Nullable Instant end) {
    return new ClientKey(key.fingerprint(), key.publicKey(), key.bits(), key.addedAt(), end);
  }
}
