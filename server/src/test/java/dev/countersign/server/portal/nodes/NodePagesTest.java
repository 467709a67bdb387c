package dev.countersign.server.portal.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.SharedNodes;
import dev.countersign.server.TestService;
import dev.countersign.server.nodes.NodeStore;
import dev.countersign.server.nodes.ServiceNode;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.RequestTime;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePagesTest {

  @Test
  void page_showsBothNodesAndTheirClocks() {
    TestService one = SharedNodes.first();
    TestService two = SharedNodes.second();
    NodeStore nodes = one.part(NodeStore.class);
    PortalClient viewer = PortalClient.viewer(one);
    // A node that pauses between the readings of the two clocks looks as if its clock were off,
    // until its next heartbeat.
    Awaitility.await()
        .untilAsserted(
            () -> {
              assertThat(viewer.get("/nodes").expect(200).body())
                  .contains(":" + one.port(), ":" + two.port(), "running", "Registry age")
                  .doesNotContain("Synchronize");
              assertThat(nodes.list()).allSatisfy(node -> assertThat(node.isClockOff()).isFalse());
            });
  }

  @Test
  void page_ofANodeWhoseClockIsOff_warns() {
    TestService one = SharedNodes.first();
    PortalClient viewer = PortalClient.viewer(one);
    Database database = one.part(Database.class);
    // The last heartbeat is in the future, so that the node is not silent, however long this takes.
    long heartbeat = Instant.now().plus(Duration.ofHours(1)).toEpochMilli();
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO service_nodes (node_id, name, version, started_at, heartbeat_at,"
                        + " clock_at, clock_error, registry_age, draining)"
                        + " VALUES ('x', '<b>slow</b>:1', '0.1', 0, ?, ?, 0, 0, 1)")
                .params(heartbeat, heartbeat - 5_000)
                .update());
    try {
      String page = viewer.get("/nodes").expect(200).body();
      assertThat(page)
          .contains("&lt;b&gt;slow", "5.0 s behind", "draining", "Synchronize")
          .doesNotContain("<b>slow");
      assertThat(one.part(NodeStore.class).list()).anyMatch(ServiceNode::isClockOff);
    } finally {
      database.write(sql -> sql.sql("DELETE FROM service_nodes WHERE node_id = 'x'").update());
    }
  }

  /** The page needs a connection that is open; requests of clients need a new one. */
  @Test
  void page_ofANodeThatMayNotLogIn_saysWhy(@TempDir Path data) throws Exception {
    StoreSettings owner = TestStore.POSTGRESQL.settings(data);
    String role = "node" + Integer.toHexString(data.hashCode());
    TestStore.POSTGRESQL.run(data, "CREATE ROLE " + role + " LOGIN SUPERUSER");
    try (TestService service =
        TestService.startNode(
            data, new StoreSettings(data, owner.url(), role, null, owner.schema()), 0)) {
      PortalClient viewer = PortalClient.viewer(service);
      assertThat(viewer.get("/nodes").expect(200).body()).doesNotContain("refuses new connections");

      TestStore.POSTGRESQL.run(data, "ALTER ROLE " + role + " NOLOGIN");
      assertThatThrownBy(
              () ->
                  service
                      .part(Database.class)
                      .forClient("any", new RequestTime())
                      .read(sql -> sql.sql("SELECT 1").query(Integer.class).single()))
          .isInstanceOf(StoreUnavailableException.class);

      assertThat(viewer.get("/nodes").expect(200).body())
          .contains(
              "refuses new connections",
              "role &quot;" + role + "&quot; is not permitted to log in (28000)");
    } finally {
      TestStore.POSTGRESQL.run(data, "DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }
}
