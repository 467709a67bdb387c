package dev.countersign.server.clients;

import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.store.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the clients that need an operator's attention. */
public final class ClientAttention {
  /** The age at which a key should be replaced. */
  public static final Duration OLD_KEY = Duration.ofDays(90);

  /** The time without a call after which a client may no longer need access. */
  public static final Duration UNUSED = Duration.ofDays(30);

  /** How long a rotation by a client is shown. */
  public static final Duration RECENT_ROTATION = Duration.ofDays(7);

  // The maximum number of clients in one answer.
  private static final int MAX_LISTED = 10;

  // The age of a client's keys is the age of its newest live key.
  private static final String KEY_AGES =
      """
      SELECT c.client_id, c.name, max(k.added_at) AS since
      FROM clients c JOIN client_keys k ON k.client_id = c.client_id
      WHERE c.status = 'enabled' AND (k.ends_at IS NULL OR k.ends_at > :now)
      GROUP BY c.client_id, c.name HAVING max(k.added_at) <= :before\
      """;
  private static final String LAST_USES =
      """
      SELECT c.client_id, c.name, max(u.last_used_at) AS since
      FROM clients c LEFT JOIN client_key_uses u ON u.client_id = c.client_id
      WHERE c.status = 'enabled' AND c.created_at <= :before
      GROUP BY c.client_id, c.name
      HAVING max(u.last_used_at) IS NULL OR max(u.last_used_at) <= :before\
      """;

  // Finds candidates. A whitelist that is open to everyone contains 0.0.0.0, or a range that
  // includes the first address of IPv4 or of 2000::/3. The host bits of a range are zero, so the
  // text of such a range begins with 0, 2000: or a colon.
  private static final String MAYBE_OPEN =
      """
      SELECT c.client_id, c.name, c.updated_at AS since, c.whitelist
      FROM clients c
      WHERE c.status = 'enabled' AND (',' || c.whitelist LIKE '%,0%'
        OR ',' || c.whitelist LIKE '%,2000:%' OR ',' || c.whitelist LIKE '%,:%')\
      """;

  private static final String ROTATIONS =
      """
      SELECT c.client_id, c.name, h.rotated_at AS since
      FROM client_key_history h JOIN clients c ON c.client_id = h.client_id
      WHERE h.rotated_at > :before AND c.status <> 'removed'\
      """;

  // The most urgent clients first.
  private static final String EARLIEST_FIRST = "coalesce(since, 0), name, client_id";
  private static final String LATEST_FIRST = "since DESC, name, client_id";

  // The method lacking() appends the condition for the roles, whose names contain no wildcards of
  // LIKE.
  private static final String LACKING =
      """
      SELECT c.client_id, c.name, c.updated_at AS since
      FROM clients c
      WHERE c.status = 'enabled'
      AND (SELECT count(DISTINCT a.name) FROM client_attributes a
        WHERE a.client_id = c.client_id AND a.name IN (:attributes)) < :needed
      AND \
      """;

  private final Database database;
  private final Clock clock;

  public ClientAttention(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * A client that needs attention.
   *
   * @param since when the newest live key was added (old keys), when the client last called (unused
   *     clients; null if never), when it rotated its key (rotations), or when the record was
   *     changed (clients that are open to everyone, or lack an attribute)
   */
  public record Concern(String clientId, String name, @Nullable Instant since) {}

  /**
   * Some of the clients that need attention.
   *
   * @param some up to ten, the most urgent first
   * @param total the number of all such clients
   */
  public record Concerns(List<Concern> some, long total) {
    public Concerns {
      some = List.copyOf(some);
    }
  }

  /** Finds enabled clients whose newest live key is at least {@link #OLD_KEY} old, oldest first. */
  public Concerns oldKeys() {
    return concerns(KEY_AGES, clock.instant().minus(OLD_KEY));
  }

  /**
   * Finds enabled clients that were registered at least {@link #UNUSED} ago and have not called for
   * that long.
   */
  public Concerns unused() {
    return concerns(LAST_USES, clock.instant().minus(UNUSED));
  }

  /** Finds enabled clients whose network whitelist is open to everyone. */
  public Concerns openToEveryone() {
    return database.read(
        sql -> {
          List<Concern> open =
              sql
                  .sql("SELECT * FROM (" + MAYBE_OPEN + ") found ORDER BY " + EARLIEST_FIRST)
                  .query(
                      (row, number) ->
                          isOpen(row.getString(4))
                              ? Optional.of(
                                  concern(row.getString(1), row.getString(2), row.getLong(3)))
                              : Optional.<Concern>empty())
                  .list()
                  .stream()
                  .flatMap(Optional::stream)
                  .toList();
          return new Concerns(open.subList(0, Math.min(MAX_LISTED, open.size())), open.size());
        });
  }

  private static boolean isOpen(String whitelist) {
    return NetworkWhitelist.opensToEveryone(List.of(whitelist.split(",")));
  }

  /**
   * Finds the rotations of the last {@link #RECENT_ROTATION} that clients made themselves, newest
   * first: one concern for each rotation. Somebody who stole a key can rotate it too, so an
   * operator should see each of them.
   */
  public Concerns rotations() {
    return concerns(
        ROTATIONS,
        Map.of("before", clock.instant().minus(RECENT_ROTATION).toEpochMilli()),
        LATEST_FIRST);
  }

  /**
   * Finds enabled clients that have one of these roles but lack one of these attributes. The
   * clients whose records have not changed for the longest time come first. An attribute counts as
   * present even if its stored values no longer fit the configuration.
   */
  public Concerns lacking(Collection<String> attributes, Collection<String> roles) {
    if (attributes.isEmpty() || roles.isEmpty()) {
      return new Concerns(List.of(), 0);
    }
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("attributes", Set.copyOf(attributes));
    parameters.put("needed", Set.copyOf(attributes).size());
    List<String> roleConditions = new ArrayList<>();
    for (String role : roles) {
      String name = "role" + roleConditions.size();
      roleConditions.add("',' || c.roles || ',' LIKE :" + name);
      parameters.put(name, "%," + role + ",%");
    }
    return concerns(
        LACKING + "(" + String.join(" OR ", roleConditions) + ")", parameters, EARLIEST_FIRST);
  }

  private Concerns concerns(String query, Instant before) {
    return concerns(
        query, Map.of("now", clock.millis(), "before", before.toEpochMilli()), EARLIEST_FIRST);
  }

  private Concerns concerns(String query, Map<String, ?> parameters, String order) {
    return database.read(
        sql -> {
          long total =
              sql.sql("SELECT count(*) FROM (" + query + ") found")
                  .params(parameters)
                  .query(Long.class)
                  .single();
          List<Concern> some =
              sql.sql(
                      "SELECT client_id, name, since FROM ("
                          + query
                          + ") found ORDER BY "
                          + order
                          + " LIMIT "
                          + MAX_LISTED)
                  .params(parameters)
                  .query(
                      (row, number) -> concern(row.getString(1), row.getString(2), row.getLong(3)))
                  .list();
          return new Concerns(some, total);
        });
  }

  private static Concern concern(String clientId, String name, long since) {
    return new Concern(clientId, name, since == 0 ? null : Instant.ofEpochMilli(since));
  }
}
