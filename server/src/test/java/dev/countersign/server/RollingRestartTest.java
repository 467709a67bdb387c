package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes behind HAProxy are restarted in turn, and no request on its connections fails. */
@Tag("full")
@Tag("alone")
class RollingRestartTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final int RESTARTS = 3;
  private static final int REQUESTS = 10_000;
  private static final int CALLERS = 8;

  @TempDir private Path folder;
  private final AtomicInteger answered = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void requests_onKeptConnections_neverFail() throws Exception {
    assumeTrue(CommandProcess.succeeds(List.of("haproxy", "-v")), "haproxy is not installed");
    Path configuration = configuration();
    String clientId = register(configuration);
    List<CommandProcess> nodes = new ArrayList<>();
    Process proxy = null;
    try (TestThreads callers = TestThreads.of(CALLERS)) {
      for (int i = 0; i < 2; i++) {
        nodes.add(serve(configuration, i, 0));
      }
      int proxyPort;
      do {
        proxyPort = ThreadLocalRandom.current().nextInt(20_000, 30_000);
        proxy = haproxy(proxyPort, nodes);
      } while (proxy == null);
      TestClient client = new TestClient(proxyPort, clientId, TestService.KEYS.getPrivate());
      Awaitility.await().until(() -> client.get(WALLETS).send().status() == 200);
      List<Future<Boolean>> calling = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        calling.add(callers.submit(caller(proxyPort, client)));
      }
      for (int restart = 0; restart < RESTARTS; restart++) {
        for (int i = 0; i < nodes.size(); i++) {
          int ofNode = nodes.get(i).port();
          nodes.get(i).terminate();
          assertThat(nodes.get(i).exitCode()).isEqualTo(143);
          assertThat(nodes.get(i).out()).contains("the service stops in 5 s");
          nodes.set(i, serve(configuration, i, ofNode));
          awaitUse(nodes.get(i));
        }
      }
      Awaitility.await()
          .atMost(Waits.LIMIT.multipliedBy(5))
          .until(() -> answered.get() + failures.size() >= REQUESTS);
      isOver.set(true);
      for (Future<Boolean> each : calling) {
        assertThat(Waits.forResult(each)).isTrue();
      }
    } finally {
      isOver.set(true);
      nodes.forEach(CommandProcess::close);
      if (proxy != null) {
        proxy.destroyForcibly();
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d requests over %d restarts of each of two nodes, of which %d failed%n",
        answered.get() + failures.size(),
        RESTARTS,
        failures.size());
    assertThat(failures).isEmpty();
    assertThat(answered).hasValueGreaterThanOrEqualTo(REQUESTS);
  }

  private Path configuration() throws IOException {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    return Files.writeString(
        folder.resolve("nodes.yaml"),
        """
        spring.datasource.url: "%s"
        spring.datasource.username: "%s"
        countersign.portal.port: api
        """
            .replaceFirst("%s", store.url())
            .replaceFirst("%s", String.valueOf(store.user())));
  }

  private String register(Path configuration) throws Exception {
    CommandResult added =
        OperatorShell.run(
            "clients",
            "add",
            "--name",
            "Test",
            "--public-key",
            new OperatorShell(folder, folder).pem(TestService.KEYS).toString(),
            "--allow",
            "127.0.0.1",
            "--role",
            "ledger-viewer",
            "--data",
            folder.resolve("shell").toString(),
            "--config",
            configuration.toString());
    assertThat(added.exitCode()).as(added.err()).isZero();
    return added.firstLine();
  }

  /** Starts a node. Its port may be in use for a moment after its last one has ended. */
  private CommandProcess serve(Path configuration, int number, int port) {
    while (true) {
      try {
        return CommandProcess.serveOn(
            port, folder, folder.resolve("node-" + number), "--config", configuration.toString());
      } catch (AssertionError ended) {
        if (!ended.getMessage().contains("is in use")) {
          throw ended;
        }
      }
    }
  }

  /** Waits until HAProxy has given a request to a node that was started. */
  private static void awaitUse(CommandProcess node) {
    node.await(() -> node.out().contains("path=" + WALLETS + " status=200"));
  }

  /** Starts HAProxy in front of the nodes; returns null if the port is in use. */
  private @Nullable Process haproxy(int port, List<CommandProcess> nodes)
      throws IOException, InterruptedException {
    StringBuilder configuration =
        new StringBuilder(
            """
            defaults
              mode http
              timeout connect 5s
              timeout client 2m
              timeout server 2m
              timeout check 10s
            frontend api
              bind 127.0.0.1:%d
              default_backend nodes
            backend nodes
              option httpchk
              http-check send meth GET uri /actuator/health/readiness ver HTTP/1.1 hdr Host localhost
              default-server check inter 500ms fall 1 rise 1
            """
                .replace("%d", String.valueOf(port)));
    for (CommandProcess node : nodes) {
      configuration.append("  server n").append(node.port()).append(" 127.0.0.1:");
      configuration.append(node.port()).append('\n');
    }
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
    Process process =
        new ProcessBuilder("haproxy", "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    if (!process.waitFor(2, TimeUnit.SECONDS)) {
      return process;
    }
    assertThat(folder.resolve("haproxy.log")).content().contains("cannot bind");
    return null;
  }

  /** Calls without a pause, on one connection for as long as it lasts. */
  private Callable<Boolean> caller(int port, TestClient client) {
    return () -> {
      RawConnection connection = null;
      try {
        while (!isOver.get()) {
          RawRequest get = client.get(WALLETS);
          if (connection == null) {
            connection = new RawConnection(port);
          }
          RawResponse answer = connection.send(get.text()).read();
          if (answer.status() == 200) {
            answered.incrementAndGet();
          } else {
            failures.add(answer.status() + " " + answer.body());
          }
          if (answer.status() != 200 || answer.header("connection").equals("close")) {
            connection.close();
            connection = null;
          }
          Thread.sleep(Duration.ofMillis(5));
        }
      } finally {
        if (connection != null) {
          connection.close();
        }
      }
      return true;
    };
  }
}
