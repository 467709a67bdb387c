package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.BulkInsert;
import dev.countersign.server.store.StoredText;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL of clients, their keys and their attributes, the same on SQLite and PostgreSQL. It checks
 * nothing.
 */
final class ClientRows {
  // A kind of row in client_attributes, beside "value".
  private static final String EVERYTHING = "everything";
  private static final String CLIENT =
      "SELECT c.client_id, c.name, c.whitelist, c.roles, c.status, c.created_at, c.updated_at,"
          + " c.revision, c.change_token FROM clients c ";
  private static final String KEY =
      "SELECT k.client_id, k.fingerprint, k.public_key, k.bits, k.added_at, k.ends_at"
          + " FROM client_keys k JOIN clients c ON c.client_id = k.client_id ";

  private static final String ATTRIBUTE =
      "SELECT a.client_id, a.name, a.kind, a.value"
          + " FROM client_attributes a JOIN clients c ON c.client_id = a.client_id ";
  private static final BulkInsert NEW_ATTRIBUTES =
      new BulkInsert("INSERT INTO client_attributes (client_id, name, kind, value)", 4, "");

  // The maximum number of rows whose ids one statement names.
  private static final int MAX_IDS = 500;
  private static final String BY_IDS = "WHERE c.client_id IN (:ids)";

  /** Stands for a token that the database does not have. */
  static final long NO_TOKEN = 0;

  /** The number of revisions that keep their tokens. */
  static final int TOKENS = 10_000;

  private static final String TOKEN = "(SELECT token FROM registry_tokens WHERE revision = ?)";
  private static final SecureRandom RANDOM = new SecureRandom();

  // Queries of client_key_history, which keeps growing; an index serves each of them.
  static final String WAS_KEY =
      "SELECT 1 FROM client_key_history WHERE client_id = ? AND fingerprint = ?";
  static final String LAST_ROTATION =
      "SELECT rotated_at FROM client_key_history WHERE client_id = ? AND rotated_at > ?"
          + " ORDER BY rotated_at DESC LIMIT 1";

  private final JdbcClient sql;

  ClientRows(JdbcClient sql) {
    this.sql = sql;
  }

  /**
   * Waits for the lock that orders all changes, without using up a revision. {@link #nextRevision}
   * can follow.
   */
  void lockChanges() {
    sql.sql("UPDATE client_revision SET value = value WHERE id = 1").update();
  }

  /**
   * Increments the revision, as the first step of each change. The lock on its row orders all
   * changes on all nodes: a reader that sees a revision also sees every smaller one.
   */
  long nextRevision() {
    long revision =
        sql.sql("UPDATE client_revision SET value = value + 1 WHERE id = 1 RETURNING value")
            .query(Long.class)
            .single();
    sql.sql(
            "INSERT INTO registry_tokens (revision, token) VALUES (?, ?)"
                + " ON CONFLICT (revision) DO UPDATE SET token = excluded.token")
        .param(revision)
        .param(newToken())
        .update();
    sql.sql("DELETE FROM registry_tokens WHERE revision <= ?").param(revision - TOKENS).update();
    return revision;
  }

  private static long newToken() {
    long token = RANDOM.nextLong();
    return token == NO_TOKEN ? 1 : token;
  }

  /**
   * Returns the current position, and the token that the database has for a revision.
   *
   * @param revision the revision whose token is returned
   */
  Snapshot snapshot(long revision) {
    return sql.sql(
            "SELECT r.value, now.token AS token, seen.token AS seen FROM client_revision r"
                + " LEFT JOIN registry_tokens now ON now.revision = r.value"
                + " LEFT JOIN registry_tokens seen ON seen.revision = ? WHERE r.id = 1")
        .param(revision)
        .query(
            (row, n) ->
                new Snapshot(
                    new Position(row.getLong("value"), row.getLong("token")), row.getLong("seen")))
        .single();
  }

  /**
   * A point in the history of the clients.
   *
   * @param revision the number of changes before it
   * @param token the random token of the last of these changes; {@link #NO_TOKEN} if a build
   *     without tokens made it. Two histories that differ have different tokens
   */
  record Position(long revision, long token) {
    /** The position before all changes. */
    static final Position START = new Position(0, NO_TOKEN);
  }

  /**
   * The latest position, and the token of the revision that the caller asked about.
   *
   * @param current the latest position
   * @param token the token of the revision that the caller asked about; {@link #NO_TOKEN} if the
   *     database has none
   */
  record Snapshot(Position current, long token) {}

  /**
   * Returns the last changes of the next clients that are not removed, in the order of their ids.
   *
   * @param after the clientId after which to begin
   */
  List<LastChange> lastChanges(String after, int limit) {
    return sql.sql(
            "SELECT client_id, revision, change_token FROM clients"
                + " WHERE client_id > ? AND status <> 'removed' ORDER BY client_id LIMIT ?")
        .param(after)
        .param(limit)
        .query(
            (row, n) ->
                new LastChange(
                    row.getString("client_id"),
                    new Position(row.getLong("revision"), row.getLong("change_token"))))
        .list();
  }

  /** A client with the position of its last change. */
  record Stored(Client client, Position position) {}

  /** The position of a client's last change. */
  record LastChange(String clientId, Position position) {}

  Optional<Client> find(String clientId) {
    // The clientId may come from a URL and hold any text.
    return clients("WHERE c.client_id = :id", "", Map.of("id", StoredText.of(clientId))).stream()
        .map(Stored::client)
        .findFirst();
  }

  /** Returns the clients that are not removed, sorted by name. */
  List<Client> list() {
    return clients("WHERE c.status <> 'removed'", " ORDER BY c.name, c.client_id", Map.of())
        .stream()
        .map(Stored::client)
        .toList();
  }

  /** Returns the clients with these ids, at most a few hundred, in no particular order. */
  List<Client> all(List<String> clientIds) {
    return stored(clientIds).stream().map(Stored::client).toList();
  }

  /** Returns the clients like {@link #all}, with the positions of their last changes. */
  List<Stored> stored(List<String> clientIds) {
    return clients(BY_IDS, "", Map.of("ids", clientIds));
  }

  /**
   * Returns the next clients that changed after a revision, in the order of their revisions,
   * including removed ones.
   */
  List<Stored> changedAfter(long revision, int limit) {
    List<Row> rows =
        sql.sql(CLIENT + "WHERE c.revision > ? ORDER BY c.revision LIMIT ?")
            .param(revision)
            .param(limit)
            .query(ClientRows::row)
            .list();
    if (rows.size() <= MAX_IDS) {
      // An index serves the ids, whereas a database without statistics may read whole tables for a
      // range of revisions.
      return complete(rows, BY_IDS, Map.of("ids", rows.stream().map(row -> row.clientId).toList()));
    }
    return complete(
        rows,
        "WHERE c.revision > :after AND c.revision <= :last",
        Map.of("after", revision, "last", rows.getLast().revision));
  }

  /**
   * Writes a client, and its keys and attributes if they have changed.
   *
   * @param before the client as stored; null for a new one
   */
  void write(@Nullable Client before, Client after) {
    if (before == null) {
      insert(after);
    } else {
      update(after);
    }
    if (before == null || !before.keys().equals(after.keys())) {
      replaceKeys(after);
    }
    if (before == null || !before.attributes().equals(after.attributes())) {
      replaceAttributes(after);
    }
  }

  private void insert(Client client) {
    sql.sql(
            "INSERT INTO clients (client_id, name, whitelist, roles, status, created_at,"
                + " updated_at, revision, change_token) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
                + TOKEN
                + ")")
        .param(client.clientId())
        .param(client.name())
        .param(String.join(",", client.whitelist()))
        .param(String.join(",", client.roles()))
        .param(word(client.status()))
        .param(client.createdAt().toEpochMilli())
        .param(client.updatedAt().toEpochMilli())
        .param(client.revision())
        .param(client.revision())
        .update();
  }

  void update(Client client) {
    sql.sql(
            "UPDATE clients SET name = ?, whitelist = ?, roles = ?, status = ?, updated_at = ?,"
                + " revision = ?, change_token = "
                + TOKEN
                + " WHERE client_id = ?")
        .param(client.name())
        .param(String.join(",", client.whitelist()))
        .param(String.join(",", client.roles()))
        .param(word(client.status()))
        .param(client.updatedAt().toEpochMilli())
        .param(client.revision())
        .param(client.revision())
        .param(client.clientId())
        .update();
  }

  /** Consumes the challenge of a proof, so that it cannot be used again. */
  void take(PossessionProof proof, RSAPublicKey key, Instant now) {
    proof.use(sql, key, now);
  }

  /** Returns the client that has the key. Removed clients have no keys. */
  Optional<String> ownerOf(String fingerprint) {
    return sql.sql("SELECT client_id FROM client_keys WHERE fingerprint = ?")
        .param(fingerprint)
        .query(String.class)
        .optional();
  }

  /** Returns whether the client has the key or ever had it. */
  boolean wasKeyOf(String clientId, String fingerprint) {
    return sql.sql(WAS_KEY)
        .param(clientId)
        .param(fingerprint)
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** Returns when the client last rotated its key itself; empty if it has not done so since. */
  Optional<Instant> lastRotation(String clientId, Instant since) {
    return sql.sql(LAST_ROTATION)
        .param(clientId)
        .param(since.toEpochMilli())
        .query(Long.class)
        .optional()
        .map(Instant::ofEpochMilli);
  }

  /**
   * Notes that the client added a key itself. The key is stored already, and a trigger of the
   * database has put it into the history.
   */
  void noteRotation(String clientId, ClientKey key) {
    sql.sql("UPDATE client_key_history SET rotated_at = ? WHERE client_id = ? AND fingerprint = ?")
        .param(key.addedAt().toEpochMilli())
        .param(clientId)
        .param(key.fingerprint())
        .update();
  }

  /** Replaces the stored keys with the client's keys. */
  private void replaceKeys(Client client) {
    sql.sql("DELETE FROM client_keys WHERE client_id = ?").param(client.clientId()).update();
    for (ClientKey key : client.keys()) {
      sql.sql(
              "INSERT INTO client_keys (client_id, fingerprint, public_key, bits, added_at,"
                  + " ends_at) VALUES (?, ?, ?, ?, ?, ?)")
          .param(client.clientId())
          .param(key.fingerprint())
          .param(key.publicKey())
          .param(key.bits())
          .param(key.addedAt().toEpochMilli())
          .param(key.endsAt() == null ? null : key.endsAt().toEpochMilli())
          .update();
    }
  }

  /** Makes the stored attributes equal to the client's. */
  private void replaceAttributes(Client client) {
    sql.sql("DELETE FROM client_attributes WHERE client_id = ?").param(client.clientId()).update();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    client
        .attributes()
        .forEach(
            (name, setting) -> {
              if (setting.isEverything()) {
                rows.add(List.of(client.clientId(), name, EVERYTHING, ""));
              }
              setting
                  .values()
                  .forEach(value -> rows.add(List.of(client.clientId(), name, "value", value)));
            });
    NEW_ATTRIBUTES.run(sql, rows);
  }

  private List<Stored> clients(String condition, String order, Map<String, ?> parameters) {
    List<Row> rows =
        sql.sql(CLIENT + condition + order).params(parameters).query(ClientRows::row).list();
    return complete(rows, condition, parameters);
  }

  /** Adds the keys and attributes of the clients to which a condition applies. */
  private List<Stored> complete(List<Row> rows, String condition, Map<String, ?> parameters) {
    if (rows.isEmpty()) {
      return List.of();
    }
    Map<String, List<ClientKey>> keys = new HashMap<>();
    RowCallbackHandler collectKey =
        row ->
            keys.computeIfAbsent(row.getString("client_id"), id -> new ArrayList<>(2))
                .add(key(row));
    sql.sql(KEY + condition + " ORDER BY k.added_at, k.fingerprint")
        .params(parameters)
        .query(collectKey);
    Map<String, Map<String, List<String>>> values = new HashMap<>();
    RowCallbackHandler collectValue =
        row -> {
          List<String> found =
              values
                  .computeIfAbsent(row.getString("client_id"), id -> new TreeMap<>())
                  // There are few names, but many clients.
                  .computeIfAbsent(row.getString("name").intern(), name -> new ArrayList<>(1));
          if (!row.getString("kind").equals(EVERYTHING)) {
            found.add(row.getString("value"));
          }
        };
    sql.sql(ATTRIBUTE + condition).params(parameters).query(collectValue);
    return rows.stream()
        .map(
            row ->
                row.stored(
                    attributes(values.getOrDefault(row.clientId, Map.of())),
                    keys.getOrDefault(row.clientId, List.of())))
        .toList();
  }

  // A row for everything counts only if it is the only row of the attribute, so that a value that
  // somebody adds by hand narrows the setting.
  private static Map<String, AttributeSetting> attributes(Map<String, List<String>> values) {
    Map<String, AttributeSetting> attributes = new HashMap<>();
    values.forEach(
        (name, texts) ->
            attributes.put(
                name, texts.isEmpty() ? AttributeSetting.EVERYTHING : AttributeSetting.of(texts)));
    return attributes;
  }

  private static ClientKey key(ResultSet result) throws SQLException {
    long endsAt = result.getLong("ends_at");
    @Nullable Instant end = result.wasNull() ? null : Instant.ofEpochMilli(endsAt);
    return new ClientKey(
        result.getString("fingerprint"),
        result.getString("public_key"),
        result.getInt("bits"),
        Instant.ofEpochMilli(result.getLong("added_at")),
        end);
  }

  private static Row row(ResultSet result, int number) throws SQLException {
    return new Row(
        result.getString("client_id"),
        result.getString("name"),
        List.of(result.getString("whitelist").split(",")),
        List.of(result.getString("roles").split(",")),
        Status.valueOf(result.getString("status").toUpperCase(Locale.ROOT)),
        Instant.ofEpochMilli(result.getLong("created_at")),
        Instant.ofEpochMilli(result.getLong("updated_at")),
        result.getLong("revision"),
        result.getLong("change_token"));
  }

  private static String word(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** A client without its keys and attributes. */
  private record Row(
      String clientId,
      String name,
      List<String> whitelist,
      List<String> roles,
      Status status,
      Instant createdAt,
      Instant updatedAt,
      long revision,
      long changeToken) {

    Stored stored(Map<String, AttributeSetting> attributes, List<ClientKey> keys) {
      return new Stored(
          new Client(
              clientId,
              name,
              whitelist,
              roles,
              attributes,
              status,
              keys,
              createdAt,
              updatedAt,
              revision),
          new Position(revision, changeToken));
    }
  }
}
