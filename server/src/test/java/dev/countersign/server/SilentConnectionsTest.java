package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections to PostgreSQL that go silent, while new ones work, do not freeze what a node knows of
 * its clients.
 */
@Tag("full")
class SilentConnectionsTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path folder;

  @Test
  void clientDisabledElsewhere_connectionsSilent_isRefusedWithinTheLimit() throws Exception {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    URI address = URI.create(String.valueOf(store.url()).substring("jdbc:".length()));
    try (SilencingProxy proxy = new SilencingProxy(address.getPort());
        TestService cut = node("cut", proxy.port(), address.getPath(), "?socketTimeout=8");
        TestService other = node("other", address.getPort(), address.getPath(), "");
        LogCapture log = LogCapture.of(ClientRegistry.class);
        LogCapture fitness = LogCapture.of(NodeFitness.class)) {
      TestClient here = other.register();
      TestClient there = cut.client(here.clientId(), here.privateKey());
      Awaitility.await().until(() -> there.get(WALLETS).send().status() == 200);

      proxy.silenceConnections();
      other.part(ClientStore.class).disable(here.clientId());
      long start = System.nanoTime();
      // Beyond 5 s, the node refuses; after 8 s, a new connection tells it why.
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> health(cut) == 503);
      assertThat(there.as("nobody").get(WALLETS).send().reason()).isEqualTo("registry_stale");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> there.get(WALLETS).send().reason().equals("client_disabled"));
      System.out.printf(
          "client_disabled %d ms after the connections went silent%n",
          Duration.ofNanos(System.nanoTime() - start).toMillis());
      Awaitility.await().until(() -> health(cut) == 200);
      assertThat(fitness.lines())
          .satisfiesExactly(
              begin -> assertThat(begin).contains("registry_stale"),
              end -> assertThat(end).startsWith("resolved"));
      assertThat(log.lines())
          .satisfiesExactly(
              begin -> assertThat(begin).startsWith("the clients cannot be read"),
              end -> assertThat(end).startsWith("resolved"));
    }
  }

  private TestService node(String name, int port, String database, String parameters) {
    return TestService.start(
        folder.resolve(name),
        3,
        "spring.datasource.url=jdbc:postgresql://localhost:" + port + database + parameters,
        "spring.datasource.username=postgres",
        "countersign.access.registry-limit=5s");
  }

  private static int health(TestService service) {
    return RawRequest.send(
            service.port(), "GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status();
  }

  /** Forwards connections to a port of this machine, and can drop what they carry. */
  private static final class SilencingProxy implements AutoCloseable {
    private final int target;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();

    SilencingProxy(int target) throws IOException {
      this.target = target;
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    /** From now on, the present connections carry nothing in either direction. */
    void silenceConnections() {
      silent.addAll(sockets);
    }

    private void accept() {
      try {
        while (true) {
          Socket caller = server.accept();
          Socket callee = new Socket("localhost", target);
          sockets.addAll(List.of(caller, callee));
          Thread.ofVirtual().start(() -> forward(caller, callee));
          Thread.ofVirtual().start(() -> forward(callee, caller));
        }
      } catch (IOException closed) {
        assertThat(server.isClosed()).isTrue();
      }
    }

    private void forward(Socket from, Socket to) {
      byte[] buffer = new byte[8192];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!silent.contains(from)) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException closed) {
        // The other side has closed the connection.
      }
    }

    @Override
    public void close() {
      try {
        server.close();
        for (Socket socket : sockets) {
          socket.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
