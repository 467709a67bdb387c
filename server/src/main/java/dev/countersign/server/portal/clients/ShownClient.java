package dev.countersign.server.portal.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.portal.Moments;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A client as a page shows it.
 *
 * @param lastUsedAt when one of its keys last verified a request; null for never
 * @param moments what time it is
 */
record ShownClient(Client client, @Nullable Instant lastUsedAt, Moments moments) {
  private static final int OLD = 90;
  private static final int SHORT = 3;

  /** The newest of the keys that verify; null where all have ended. */
  public @Nullable ClientKey key() {
    return client.liveKeys(moments.now()).stream()
        .max(Comparator.comparing(ClientKey::addedAt))
        .orElse(null);
  }

  /** How many further keys verify beside the newest. */
  public int furtherKeys() {
    return Math.max(0, client.liveKeys(moments.now()).size() - 1);
  }

  /** Whether the newest key is so old that it is time for another. */
  public boolean isKeyOld() {
    ClientKey key = key();
    return key != null && isOld(key);
  }

  /** Whether a key is 90 days old or older. */
  public boolean isOld(ClientKey key) {
    return moments.days(key.addedAt()) >= OLD;
  }

  public boolean isEnabled() {
    return client.status() == Client.Status.ENABLED;
  }

  public String status() {
    return client.status().name().toLowerCase(Locale.ROOT);
  }

  public boolean opensToEveryone() {
    return WhitelistCheck.opensToEveryone(client.whitelist());
  }

  /** The first entries of the whitelist, as many as a table has room for. */
  public List<String> shortWhitelist() {
    return client.whitelist().subList(0, Math.min(SHORT, client.whitelist().size()));
  }

  /** How many entries of the whitelist those leave out. */
  public int furtherEntries() {
    return client.whitelist().size() - shortWhitelist().size();
  }
}
