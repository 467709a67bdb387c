package dev.countersign.server.nodes;

import dev.countersign.server.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The rows of the running nodes. A node that stops normally deletes its own row; the row of a node
 * that was killed is deleted after a day.
 */
public final class NodeStore {
  // How long the row of a node stays after its last heartbeat.
  private static final Duration RETENTION = Duration.ofDays(1);

  private final Database database;
  private final String now;

  public NodeStore(Database database) {
    this.database = database;
    this.now = database.dialect().epochMillis();
  }

  /** Returns all nodes, sorted by name. */
  public List<ServiceNode> list() {
    return database.read(
        sql ->
            sql.sql(
                    "SELECT service_nodes.*, "
                        + now
                        + " AS present FROM service_nodes ORDER BY name, started_at")
                .query(NodeStore::node)
                .list());
  }

  private static ServiceNode node(ResultSet row, int number) throws SQLException {
    long heartbeat = row.getLong("heartbeat_at");
    long silence = Math.max(0, row.getLong("present") - heartbeat);
    return new ServiceNode(
        row.getString("node_id"),
        row.getString("name"),
        row.getString("version"),
        Instant.ofEpochMilli(row.getLong("started_at")),
        Duration.ofMillis(silence),
        reading(row),
        Duration.ofMillis(row.getLong("registry_age") + silence),
        row.getInt("draining") == 1);
  }

  private static ClockReading reading(ResultSet row) throws SQLException {
    return new ClockReading(
        Duration.ofMillis(row.getLong("clock_at") - row.getLong("heartbeat_at")),
        Duration.ofMillis(row.getLong("clock_error")));
  }

  /** Returns the time by the clock of the database. */
  Instant time(JdbcClient sql) {
    return Instant.ofEpochMilli(sql.sql("SELECT " + now).query(Long.class).single());
  }

  /** Writes a heartbeat. */
  void write(JdbcClient sql, NodeStatus status) {
    sql.sql(
            "INSERT INTO service_nodes (node_id, name, version, started_at, heartbeat_at, clock_at,"
                + " clock_error, registry_age, draining) SELECT :id, :name, :version, time, time,"
                + " time + :difference, :error, :age, :draining FROM (SELECT "
                + now
                + " AS time) present WHERE true ON CONFLICT (node_id) DO UPDATE SET"
                + " name = excluded.name, heartbeat_at = excluded.heartbeat_at,"
                + " clock_at = excluded.clock_at, clock_error = excluded.clock_error,"
                + " registry_age = excluded.registry_age, draining = excluded.draining")
        .param("id", status.id)
        .param("name", status.name)
        .param("version", status.version)
        .param("difference", status.clock.difference().toMillis())
        // Rounded up.
        .param("error", status.clock.error().toMillis() + 1)
        .param("age", status.registryAge.toMillis())
        .param("draining", status.draining ? 1 : 0)
        .update();
  }

  /** A node's description of itself in a heartbeat. */
  record NodeStatus(
      String id,
      String name,
      String version,
      ClockReading clock,
      Duration registryAge,
      boolean draining) {}

  /** Returns the readings of the other running nodes. */
  List<ClockReading> otherClocks(JdbcClient sql, String id) {
    return sql.sql(
            "SELECT clock_at, heartbeat_at, clock_error FROM service_nodes"
                + " WHERE node_id <> ? AND heartbeat_at > "
                + now
                + " - ?")
        .param(id)
        .param(ServiceNode.SILENT.toMillis())
        .query((row, n) -> reading(row))
        .list();
  }

  void delete(String id) {
    database.write(
        sql -> sql.sql("DELETE FROM service_nodes WHERE node_id = ?").param(id).update());
  }

  void deleteOld(JdbcClient sql) {
    sql.sql("DELETE FROM service_nodes WHERE heartbeat_at < " + now + " - ?")
        .param(RETENTION.toMillis())
        .update();
  }
}
