package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is killed at any moment still has every wallet whose creation it acknowledged. */
@Tag("alone")
class KillTest {
  private static final int KILLS =
      Integer.getInteger("countersign.kills", Boolean.getBoolean("countersign.full") ? 8 : 1);
  private static final int THREADS = 6;
  private static final int PAUSE_MILLIS = 400;
  private static final String WALLETS = "/ledger/v1/wallets";

  /**
   * The port in the URL that the client signs, whichever port the service has. A stored response
   * belongs to a URL, so it must stay the same.
   */
  private static final int SIGNED_PORT = 8080;

  @TempDir private Path folder;
  private final AtomicInteger names = new AtomicInteger();

  /** Acknowledged wallets: name to id. */
  private final Map<String, String> acknowledged = new HashMap<>();

  /** Creates that were sent with a key and got no response: name and key. */
  private final Set<String> unanswered = new HashSet<>();

  /** The number of those that had been executed nevertheless. */
  private int stored;

  @Test
  void kills_underConcurrentCreates_loseNothingAcknowledged() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new OperatorShell(folder, data).add(TestService.KEYS);
    TestClient client = new TestClient(SIGNED_PORT, clientId, TestService.KEYS.getPrivate());
    int repeated = 0;
    long started = System.nanoTime();
    for (int kill = 0; kill < KILLS; kill++) {
      try (CommandProcess service = CommandProcess.serve(folder, data)) {
        repeated += sendAgain(service, client);
        createUntilKilled(service, client);
      }
      checkFile(data);
    }
    try (CommandProcess service = CommandProcess.serve(folder, data)) {
      repeated += sendAgain(service, client);
      assertThat(walked(service, client)).containsAllEntriesOf(acknowledged);
      service.terminate();
      service.exitCode();
    }
    checkFile(data);
    System.out.printf(
        Locale.ROOT,
        "%d kills, %d creates acknowledged, %d sent again of which %d had been made, in %d s%n",
        KILLS,
        acknowledged.size(),
        repeated,
        stored,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started));
    assertThat(acknowledged.size()).isGreaterThan(KILLS);
    assertThat(repeated).isPositive();
  }

  private void createUntilKilled(CommandProcess service, TestClient client) throws Exception {
    Queue<String[]> made = new ConcurrentLinkedQueue<>();
    Queue<String> open = new ConcurrentLinkedQueue<>();
    try (TestThreads threads = TestThreads.of(THREADS)) {
      int port = service.port();
      List<Future<?>> creates = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        creates.add(threads.submit(() -> createUntilItFails(port, client, made, open)));
      }
      Awaitility.await().until(() -> made.size() >= THREADS);
      Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS));
      service.kill();
      for (Future<?> create : creates) {
        Waits.forResult(create);
      }
    }
    made.forEach(wallet -> acknowledged.put(wallet[0], wallet[1]));
    unanswered.addAll(open);
  }

  private void createUntilItFails(
      int port, TestClient client, Queue<String[]> made, Queue<String> open) {
    while (true) {
      String name = "wallet-" + names.incrementAndGet();
      RawResponse answer = sent(port, create(client, name));
      if (answer.status() != 201) {
        open.add(name);
        if (answer.status() == 0) {
          return;
        }
        // The machine was too slow for all threads.
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
      } else {
        made.add(new String[] {name, answer.json().path("id").asString()});
      }
    }
  }

  /** Each wallet's name is also its Idempotency-Key. */
  private static RawRequest create(TestClient client, String name) {
    return client
        .signed("POST", WALLETS, "{\"name\":\"" + name + "\",\"currencyCode\":\"EUR\"}")
        .with("Idempotency-Key", name)
        .request();
  }

  private static RawResponse sent(int port, RawRequest request) {
    try {
      RawResponse answer = RawRequest.send(port, request.text());
      // A truncated response does not count.
      boolean whole =
          answer.header("content-length").equals(String.valueOf(answer.body().length()));
      return whole ? answer : new RawResponse(0, Map.of(), "");
    } catch (UncheckedIOException | StringIndexOutOfBoundsException cutOff) {
      return new RawResponse(0, Map.of(), "");
    }
  }

  /**
   * A careful client after a crash: it sends every create without a response again, with the same
   * key.
   */
  private int sendAgain(CommandProcess service, TestClient client) {
    for (String name : unanswered) {
      RawResponse answer = sent(service.port(), create(client, name));
      assertThat(answer.status()).as(answer.body()).isEqualTo(201);
      acknowledged.put(name, answer.json().path("id").asString());
      stored += answer.header("idempotency-replayed").equals("true") ? 1 : 0;
    }
    int count = unanswered.size();
    unanswered.clear();
    return count;
  }

  private static Map<String, String> walked(CommandProcess service, TestClient client) {
    Map<String, String> wallets = new HashMap<>();
    boolean last = false;
    for (int page = 0; !last; page++) {
      RawRequest get = client.get(WALLETS + "?size=100&page=" + page);
      RawResponse answer = RawRequest.send(service.port(), get.text());
      answer
          .json()
          .path("content")
          .forEach(
              wallet ->
                  assertThat(
                          wallets.put(wallet.path("name").asString(), wallet.path("id").asString()))
                      .as("one wallet per name")
                      .isNull());
      last = answer.json().path("last").asBoolean();
    }
    return wallets;
  }

  /** Reads the file while no service is running on it. */
  private void checkFile(Path data) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("countersign.db"));
        Statement statement = connection.createStatement()) {
      assertThat(one(statement, "PRAGMA integrity_check")).isEqualTo("ok");
      assertThat(one(statement, "SELECT count(*) - count(DISTINCT id) FROM wallets"))
          .isEqualTo("0");
      assertThat(one(statement, "SELECT count(*) - count(DISTINCT name) FROM wallets"))
          .isEqualTo("0");
      assertThat(one(statement, "SELECT count(*) FROM idempotent_answers WHERE status = 0"))
          .isEqualTo("0");
      Map<String, String> there = new HashMap<>();
      try (ResultSet rows = statement.executeQuery("SELECT name, id FROM wallets")) {
        while (rows.next()) {
          there.put(rows.getString(1), rows.getString(2));
        }
      }
      assertThat(there).containsAllEntriesOf(acknowledged);
    }
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
