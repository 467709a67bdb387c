package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import dev.countersign.server.clients.ClientReader;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.server.requests.RequestHistory;
import dev.countersign.server.store.ConnectionPools;
import dev.countersign.server.store.Database;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.coyote.RequestGroupInfo;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/**
 * An anonymous caller without a key cannot make the service read a body, run SQL or store anything:
 * counted over requests of many forms.
 */
class StrangerTest {
  private static final int REQUESTS = 10_000;
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";
  private static final int UNSENT = 1_000_000;

  /** The service's own threads, which use the store independently of callers. */
  private static final Set<String> OWN =
      Set.of("client-registry", "regular-purge", "expired-rows", "heartbeat");

  @TempDir private Path folder;
  private final AtomicLong transactions = new AtomicLong();
  private TestService service;
  private TestClient client;

  @BeforeEach
  void start() {
    service = TestService.start(folder, 50, "countersign.access.rate-limit=1000000");
    client = service.register();
    ConnectionPools pools =
        (ConnectionPools) field(field(service.part(Database.class), "store"), "pools");
    Stream.of(pools.control(), pools.operators(), pools.partners())
        .flatMap(pair -> Stream.of(pair.readers(), pair.writers()))
        .distinct()
        .forEach(pool -> pool.setMetricsTrackerFactory((name, stats) -> new Counter()));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void fewStrangers_ofEveryShape_leaveNoTrace() throws Exception {
    requireThatTheCountersCount();
    Footprint before = footprint();
    assertThat(strangers(0, 2 * shapes().size(), 8))
        .allMatch(status -> status >= 400 && status < 500);
    awaitTheRecords();
    assertThat(footprint()).isEqualTo(before);
  }

  @Test
  @Tag("full")
  @Tag("alone")
  void strangers_ofEveryShape_leaveNoTrace() throws Exception {
    requireThatTheCountersCount();
    // Warms up with more concurrent requests, so that the engine's pools are larger than they need
    // to be later.
    strangers(0, 2_000, 128);
    Footprint before = footprint();
    // A leak would grow with every batch; the engine's pools grow only occasionally.
    long growth = Long.MAX_VALUE;
    for (int batch = 0; batch < 3 && growth >= REQUESTS * 100L; batch++) {
      long heapBefore = usedHeap();
      assertThat(strangers(2_000 + batch * REQUESTS, REQUESTS, 32))
          .allMatch(status -> status >= 400 && status < 500);
      growth = Math.min(growth, usedHeap() - heapBefore);
    }
    // A leak of a hundred bytes per request would be visible.
    assertThat(growth).isLessThan(REQUESTS * 100L);
    assertThat(footprint()).isEqualTo(before);
  }

  /** Checks the counters: when a known client creates a wallet, a body is read and SQL runs. */
  private void requireThatTheCountersCount() throws Exception {
    assertThat(client.post(WALLETS, SAVINGS).send().status()).isEqualTo(201);
    assertThat(bodyBytes()).isEqualTo(SAVINGS.length());
    assertThat(transactions.get()).isPositive();
    awaitTheKeysUse();
  }

  @Test
  @Tag("full")
  @Tag("alone")
  void stranger_whoExpects100_getsThe401InItsPlace() throws Exception {
    for (String text : List.of(unsigned("POST", "Expect: 100-continue\r\n"), forgedPost())) {
      try (Socket socket = new Socket("localhost", service.port())) {
        socket.setSoTimeout((int) Waits.LIMIT.toMillis());
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        String answer = head(socket.getInputStream());
        assertThat(answer).startsWith("HTTP/1.1 401");
      }
    }
    assertThat(bodyBytes()).isZero();
  }

  @Test
  @Tag("full")
  @Tag("alone")
  void knownClient_whoExpects100_getsItAfterTheSignature() throws Exception {
    RawRequest post = client.post(WALLETS, SAVINGS).with("Expect", "100-continue");
    try (Socket socket = new Socket("localhost", service.port())) {
      socket.setSoTimeout((int) Waits.LIMIT.toMillis());
      String text = post.text();
      socket
          .getOutputStream()
          .write(text.substring(0, text.length() - SAVINGS.length()).getBytes(ISO_8859_1));
      assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 100");
      socket.getOutputStream().write(SAVINGS.getBytes(ISO_8859_1));
      assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 201");
    }
  }

  // The requests of anonymous callers

  private List<Integer> strangers(int from, int count, int atOnce) throws Exception {
    Semaphore open = new Semaphore(atOnce);
    List<String> shapes = shapes();
    try (TestThreads threads = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      List<Future<Integer>> answers =
          IntStream.range(from, from + count)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            assertThat(
                                    open.tryAcquire(Waits.LIMIT.toMinutes() * 5, TimeUnit.MINUTES))
                                .isTrue();
                            try {
                              String shape = shapes.get(i % shapes.size());
                              return call(shape.replace("NUMBER", String.valueOf(i)));
                            } finally {
                              open.release();
                            }
                          }))
              .toList();
      return answers.stream().map(StrangerTest::status).toList();
    }
  }

  private List<String> shapes() {
    RawRequest get = client.get(WALLETS);
    RawRequest post = client.post(WALLETS, SAVINGS);
    String keyid = client.clientId();
    String wrong = get.header("Signature").replaceFirst("sig=:....", "sig=:AAAA");
    String old = "created=" + Instant.now().minusSeconds(4_000).getEpochSecond();
    return List.of(
        unsigned("GET", ""),
        unsigned("DELETE", ""),
        unsigned("POST", ""),
        unsigned("POST", "Expect: 100-continue\r\n"),
        "POST " + WALLETS + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /NUMBER HTTP/1.1\r\nHost: NUMBER.example\r\n\r\n",
        "GET " + WALLETS + "?page=NUMBER&sort=name,asc HTTP/1.1\r\nHost: a\r\n\r\n",
        "NUMBER\r\n\r\n",
        get.with("Cookie", "a".repeat(20_000)).text(),
        get.with("Signature", wrong).text(),
        get.with("Signature", "sig=:" + "NUMBER".repeat(50) + ":").text(),
        get.text().replace(keyid, "nobody-NUMBER"),
        get.text().replace(keyid, "cl-NUMBER"),
        get.text().replaceAll("created=\\d+", old),
        get.with("Signature-Input", "sig=(" + "\"a\" ".repeat(500) + ");nonce=\"NUMBER\"").text(),
        get.text().replace(";alg=", ";nonce=\"NUMBER\";alg="),
        forgedPost().replace("Expect: 100-continue\r\n", "Idempotency-Key: NUMBER\r\n"),
        forgedPost().replace("Expect: 100-continue\r\n", ""),
        forgedPost(),
        post.with("Signature", wrong).text());
  }

  /** A body is announced and never sent. */
  private static String unsigned(String method, String headers) {
    return method
        + " "
        + WALLETS
        + " HTTP/1.1\r\nHost: a\r\n"
        + headers
        + "Content-Type: application/json\r\nContent-Length: "
        + UNSENT
        + "\r\n\r\n";
  }

  /** A registered client's name, a digest and a forged signature; the body is never sent. */
  private String forgedPost() {
    RawRequest post = client.post(WALLETS, SAVINGS);
    RawRequest forged =
        post.with("Signature", post.header("Signature").replaceFirst("sig=:....", "sig=:AAAA"))
            .with("Content-Length", String.valueOf(UNSENT))
            .with("Expect", "100-continue");
    return new RawRequest(forged.port(), "POST", WALLETS, forged.headers(), "").text();
  }

  /** Sends the request, reads only the head of the response, and disconnects. */
  private int call(String text) throws IOException {
    try (Socket socket = new Socket("localhost", service.port())) {
      socket.setSoTimeout((int) Waits.LIMIT.toMillis());
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      return Integer.parseInt(head(socket.getInputStream()).split(" ")[1]);
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    int next = in.read();
    while (next >= 0 && head.indexOf("\r\n\r\n") < 0) {
      head.append((char) next);
      next = head.indexOf("\r\n\r\n") < 0 ? in.read() : -1;
    }
    return head.toString();
  }

  private static int status(Future<Integer> answer) {
    try {
      return Waits.forResult(answer);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  // The counters

  /**
   * Everything that a request could leave behind.
   *
   * @param kept the sizes of what is in memory
   */
  private record Footprint(
      long transactions, long bodyBytes, Map<String, Integer> rows, Map<String, Long> kept) {}

  private Footprint footprint() {
    ServletWebServerApplicationContext context = context();
    Object limiter = field(context.getBean("requestAuthenticator"), "rateLimiter");
    ClientRegistry registry = service.part(ClientRegistry.class);
    Map<String, Long> kept =
        Map.of(
            "rate limits",
            ((Cache<?, ?>) field(limiter, "buckets")).estimatedSize(),
            "running keys",
            size(field(field(service.part(ReplayGuard.class), "byKey"), "running")),
            "clients",
            (long) ((Map<?, ?>) field(registry, "entries")).size(),
            "permissions",
            (long) ((Map<?, ?>) field(service.part(ClientReader.class), "permissions")).size());
    long transactionsSoFar = transactions.get();
    return new Footprint(transactionsSoFar, bodyBytes(), rows(), kept);
  }

  /** The service writes a few seconds after a request that the client's key was used. */
  private void awaitTheKeysUse() {
    Awaitility.await().untilAsserted(() -> assertThat(rows()).containsEntry("client_key_uses", 1));
  }

  /** The rows of each table, without the leases that the service takes every minute. */
  private Map<String, Integer> rows() {
    long own = transactions.get();
    Map<String, Integer> rows = new TreeMap<>();
    service
        .part(Database.class)
        .read(
            sql -> {
              sql.sql(
                      "SELECT name FROM sqlite_schema"
                          + " WHERE type = 'table' AND name <> 'purge_leases'")
                  .query(String.class)
                  .list()
                  .forEach(
                      table ->
                          rows.put(
                              table,
                              sql.sql("SELECT count(*) FROM " + table)
                                  .query(Integer.class)
                                  .single()));
              return rows;
            });
    transactions.set(own);
    return rows;
  }

  /** The bytes of bodies that any part of the service has read. */
  private long bodyBytes() {
    TomcatWebServer server = (TomcatWebServer) context().getWebServer();
    var handler =
        (AbstractEndpoint.Handler<?>)
            field(server.getTomcat().getConnector().getProtocolHandler(), "handler");
    return ((RequestGroupInfo) handler.getGlobal()).getBytesReceived();
  }

  private ServletWebServerApplicationContext context() {
    return (ServletWebServerApplicationContext) field(field(service, "service"), "context");
  }

  private static long size(Object collection) {
    return ((Collection<?>) collection).size();
  }

  private static Object field(Object owner, String name) {
    return Objects.requireNonNull(ReflectionTestUtils.getField(owner, name));
  }

  /** Records wait in memory for only a moment, which is long on a slow machine. */
  private void awaitTheRecords() {
    Object queues = field(field(service.part(RequestHistory.class), "writer"), "queues");
    Collection<?> all = ((Map<?, ?>) field(queues, "queues")).values();
    Awaitility.await()
        .until(() -> all.stream().allMatch(queue -> size(field(queue, "waiting")) == 0));
  }

  private long usedHeap() throws InterruptedException {
    awaitTheRecords();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(100);
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Counts the connections that a request's thread borrows: without one it cannot run SQL. */
  private final class Counter implements IMetricsTracker {
    @Override
    public void recordConnectionAcquiredNanos(long elapsed) {
      if (!OWN.contains(Thread.currentThread().getName())) {
        transactions.incrementAndGet();
      }
    }
  }
}
