package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientAttention;
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
 * @param lastUsedAt when one of its keys last verified a request; null if none has
 * @param moments formats times
 * @param reach the configuration of attributes and scopes
 */
record ShownClient(
    Client client, @Nullable Instant lastUsedAt, Moments moments, ClientReach reach) {
  private static final int SHORT_SIZE = 3;

  /** Returns the newest live key; null if all keys have ended. */
  public @Nullable ClientKey key() {
    return client.liveKeys(moments.now()).stream()
        .max(Comparator.comparing(ClientKey::addedAt))
        .orElse(null);
  }

  /** Returns the number of other live keys. */
  public int furtherKeys() {
    return Math.max(0, client.liveKeys(moments.now()).size() - 1);
  }

  /** Returns whether the newest live key should be replaced because of its age. */
  public boolean isKeyOld() {
    ClientKey key = key();
    return key != null && isOld(key);
  }

  /** Returns whether a key is at least {@link ClientAttention#OLD_KEY} old. */
  public boolean isOld(ClientKey key) {
    return moments.days(key.addedAt()) >= ClientAttention.OLD_KEY.toDays();
  }

  public boolean isEnabled() {
    return client.status() == Client.Status.ENABLED;
  }

  public String status() {
    return client.status().name().toLowerCase(Locale.ROOT);
  }

  public boolean opensToEveryone() {
    return NetworkWhitelist.opensToEveryone(client.whitelist());
  }

  /** Returns the attributes of the client, sorted by name. */
  public List<ShownAttribute> attributes() {
    return client.attributes().entrySet().stream()
        .map(one -> ShownAttribute.of(one.getKey(), one.getValue(), reach.attributes()))
        .toList();
  }

  /** Returns the attributes that are no longer in the configuration. */
  public List<ShownAttribute> unknownAttributes() {
    return attributes().stream().filter(attribute -> !attribute.isKnown()).toList();
  }

  /** Returns the names of the attributes of which the client sees everything. */
  public List<String> everything() {
    return attributes().stream()
        .filter(attribute -> attribute.setting().isEverything() && attribute.isKnown())
        .map(ShownAttribute::name)
        .toList();
  }

  /** Returns the listings that the client may read but sees nothing of. */
  public List<ClientReach.UnseenListing> unseen() {
    return reach.unseen(client.roles(), client.attributes());
  }

  /** Returns the attributes that admit nothing, because they do not fit the configuration. */
  public List<ShownAttribute> unfit() {
    return attributes().stream().filter(attribute -> attribute.problem() != null).toList();
  }

  /**
   * Returns the names of the attributes that the client lacks and without which it sees nothing of
   * a listing.
   */
  public List<String> lacking() {
    return unseen().stream()
        .flatMap(listing -> listing.missing().stream())
        .filter(name -> !client.attributes().containsKey(name))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the first entries of the whitelist, for a table. */
  public List<String> shortWhitelist() {
    return client.whitelist().subList(0, Math.min(SHORT_SIZE, client.whitelist().size()));
  }

  /** Returns the number of entries that {@link #shortWhitelist} leaves out. */
  public int furtherEntries() {
    return client.whitelist().size() - shortWhitelist().size();
  }
}
