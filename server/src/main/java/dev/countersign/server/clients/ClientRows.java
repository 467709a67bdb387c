package dev.countersign.server.clients;

import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.StoredText;
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
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The SQL of clients and their keys, the same on SQLite and PostgreSQL. It checks nothing. */
final class ClientRows {
  private static final String CLIENT =
      "SELECT client_id, name, whitelist, roles, status, created_at, updated_at, revision"
          + " FROM clients ";
  private static final String KEY =
      "SELECT k.client_id, k.fingerprint, k.public_key, k.bits, k.added_at, k.ends_at"
          + " FROM client_keys k JOIN clients c ON c.client_id = k.client_id ";

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
    String id = StoredText.of(clientId);
    return withKeys(
            sql.sql(CLIENT + "WHERE client_id = ?").param(id).query(ClientRows::row).list(),
            sql.sql(KEY + "WHERE c.client_id = ? ORDER BY k.added_at, k.fingerprint").param(id))
        .stream()
        .findFirst();
  }

  /** Returns the clients that are not removed, sorted by name. */
  List<Client> list() {
    return withKeys(
        sql.sql(CLIENT + "WHERE status <> 'removed' ORDER BY name, client_id")
            .query(ClientRows::row)
            .list(),
        sql.sql(KEY + "ORDER BY k.added_at, k.fingerprint"));
  }

  /** Returns the clients with these ids, at most a few hundred, in no particular order. */
  List<Client> all(List<String> clientIds) {
    return withKeys(
        sql.sql(CLIENT + "WHERE client_id IN (:ids)")
            .param("ids", clientIds)
            .query(ClientRows::row)
            .list(),
        sql.sql(KEY + "WHERE c.client_id IN (:ids) ORDER BY k.added_at, k.fingerprint")
            .param("ids", clientIds));
  }

  /**
   * Returns the next clients that changed after a revision, in the order of their revisions,
   * including removed ones.
   */
  List<Client> changedAfter(long revision, int limit) {
    List<Row> rows =
        sql.sql(CLIENT + "WHERE revision > ? ORDER BY revision LIMIT ?")
            .param(revision)
            .param(limit)
            .query(ClientRows::row)
            .list();
    long last = rows.isEmpty() ? revision : rows.getLast().revision;
    return withKeys(
        rows,
        sql.sql(KEY + "WHERE c.revision > ? AND c.revision <= ? ORDER BY k.added_at, k.fingerprint")
            .param(revision)
            .param(last));
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

  private static List<Client> withKeys(List<Row> rows, JdbcClient.StatementSpec keys) {
    Map<String, List<ClientKey>> byClient = new HashMap<>();
    RowCallbackHandler collect =
        row ->
            byClient
                .computeIfAbsent(row.getString("client_id"), id -> new ArrayList<>(2))
                .add(key(row));
    keys.query(collect);
    return rows.stream()
        .map(row -> row.client(byClient.getOrDefault(row.clientId, List.of())))
        .toList();
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

  /** A client without its keys. */
  private record Row(
      String clientId,
      String name,
      List<String> whitelist,
      List<String> roles,
      Status status,
      Instant createdAt,
      Instant updatedAt,
      long revision) {

    Client client(List<ClientKey> keys) {
      return new Client(
          clientId, name, whitelist, roles, status, keys, createdAt, updatedAt, revision);
    }
  }
}
