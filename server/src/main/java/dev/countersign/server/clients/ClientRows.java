package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.BulkInsert;
import dev.countersign.server.store.values.StoredText;
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
          + " c.revision FROM clients c ";
  private static final String KEY =
      "SELECT k.client_id, k.fingerprint, k.public_key, k.bits, k.added_at, k.ends_at"
          + " FROM client_keys k JOIN clients c ON c.client_id = k.client_id ";

  private static final String ATTRIBUTE =
      "SELECT a.client_id, a.name, a.kind, a.value"
          + " FROM client_attributes a JOIN clients c ON c.client_id = a.client_id ";
  private static final BulkInsert NEW_ATTRIBUTES =
      new BulkInsert("INSERT INTO client_attributes (client_id, name, kind, value)", 4, "");

  private final JdbcClient sql;

  ClientRows(JdbcClient sql) {
    this.sql = sql;
  }

  /**
   * Increments the revision, as the first step of each change. The lock on its row orders all
   * changes on all nodes: a reader that sees a revision also sees every smaller one.
   */
  long nextRevision() {
    return sql.sql("UPDATE client_revision SET value = value + 1 WHERE id = 1 RETURNING value")
        .query(Long.class)
        .single();
  }

  long revision() {
    return sql.sql("SELECT value FROM client_revision WHERE id = 1").query(Long.class).single();
  }

  Optional<Client> find(String clientId) {
    // The clientId may come from a URL and hold any text.
    return clients("WHERE c.client_id = :id", "", Map.of("id", StoredText.of(clientId))).stream()
        .findFirst();
  }

  /** Returns the clients that are not removed, sorted by name. */
  List<Client> list() {
    return clients("WHERE c.status <> 'removed'", " ORDER BY c.name, c.client_id", Map.of());
  }

  /** Returns the clients with these ids, at most a few hundred, in no particular order. */
  List<Client> all(List<String> clientIds) {
    return clients("WHERE c.client_id IN (:ids)", "", Map.of("ids", clientIds));
  }

  /**
   * Returns the next clients that changed after a revision, in the order of their revisions,
   * including removed ones.
   */
  List<Client> changedAfter(long revision, int limit) {
    List<Row> rows =
        sql.sql(CLIENT + "WHERE c.revision > ? ORDER BY c.revision LIMIT ?")
            .param(revision)
            .param(limit)
            .query(ClientRows::row)
            .list();
    return rows.isEmpty()
        ? List.of()
        : complete(
            rows,
            "WHERE c.revision > :after AND c.revision <= :last",
            Map.of("after", revision, "last", rows.getLast().revision));
  }

  void insert(Client client) {
    sql.sql(
            "INSERT INTO clients (client_id, name, whitelist, roles, status, created_at,"
                + " updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .param(client.clientId())
        .param(client.name())
        .param(String.join(",", client.whitelist()))
        .param(String.join(",", client.roles()))
        .param(word(client.status()))
        .param(client.createdAt().toEpochMilli())
        .param(client.updatedAt().toEpochMilli())
        .param(client.revision())
        .update();
  }

  void update(Client client) {
    sql.sql(
            "UPDATE clients SET name = ?, whitelist = ?, roles = ?, status = ?, updated_at = ?,"
                + " revision = ? WHERE client_id = ?")
        .param(client.name())
        .param(String.join(",", client.whitelist()))
        .param(String.join(",", client.roles()))
        .param(word(client.status()))
        .param(client.updatedAt().toEpochMilli())
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

  /** Makes the stored keys equal to the client's: inserts, updates and deletes keys. */
  void replaceKeys(Client client) {
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
  void replaceAttributes(Client client) {
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

  private List<Client> clients(String condition, String order, Map<String, ?> parameters) {
    List<Row> rows =
        sql.sql(CLIENT + condition + order).params(parameters).query(ClientRows::row).list();
    return complete(rows, condition, parameters);
  }

  /** Adds the keys and attributes of the clients to which a condition applies. */
  private List<Client> complete(List<Row> rows, String condition, Map<String, ?> parameters) {
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
                row.client(
                    attributes(values.getOrDefault(row.clientId, Map.of())),
                    keys.getOrDefault(row.clientId, List.of())))
        .toList();
  }

  // A row for everything counts only by itself, so that a value that somebody adds by hand narrows
  // the setting.
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
        result.getLong("revision"));
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
      long revision) {

    Client client(Map<String, AttributeSetting> attributes, List<ClientKey> keys) {
      return new Client(
          clientId,
          name,
          whitelist,
          roles,
          attributes,
          status,
          keys,
          createdAt,
          updatedAt,
          revision);
    }
  }
}
