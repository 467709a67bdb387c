package dev.countersign.server.portal.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedNodes;
import dev.countersign.server.TestService;
import dev.countersign.server.nodes.NodeStore;
import dev.countersign.server.nodes.ServiceNode;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.store.Database;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class NodePagesTest {

  @Test
  void page_showsBothNodesAndTheirClocks() {
    TestService one = SharedNodes.first();
    TestService two = SharedNodes.second();
    NodeStore nodes = one.part(NodeStore.class);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                nodes.list().stream().filter(node -> node.name().endsWith(":" + one.port())).count()
                        + nodes.list().stream()
                            .filter(node -> node.name().endsWith(":" + two.port()))
                            .count()
                    == 2);
    PortalClient viewer = PortalClient.viewer(one);
    String page = viewer.get("/nodes").expect(200).body();
    assertThat(page)
        .contains(":" + one.port(), ":" + two.port(), "running", "Registry age")
        .doesNotContain("Synchronize");
    assertThat(nodes.list()).allSatisfy(node -> assertThat(node.isClockOff()).isFalse());
  }

  @Test
  void page_ofANodeWhoseClockIsOff_warns() {
    TestService one = SharedNodes.first();
    Database database = one.part(Database.class);
    String now = database.dialect().epochMillis();
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO service_nodes (node_id, name, version, started_at, heartbeat_at, clock_at,"
                        + " registry_age, draining) VALUES ('x', '<b>slow</b>:1', '0.1', 0, "
                        + (now + ", " + now)
                        + " - 5000, 0, 1)")
                .update());
    try {
      String page = PortalClient.viewer(one).get("/nodes").expect(200).body();
      assertThat(page)
          .contains("&lt;b&gt;slow", "5.0 s behind", "draining", "Synchronize")
          .doesNotContain("<b>slow");
      assertThat(one.part(NodeStore.class).list()).anyMatch(ServiceNode::isClockOff);
    } finally {
      database.write(sql -> sql.sql("DELETE FROM service_nodes WHERE node_id = 'x'").update());
    }
  }
}
