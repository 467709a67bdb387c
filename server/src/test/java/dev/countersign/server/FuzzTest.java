package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Requests with random mutations, and the log lines about them and about valid requests. */
@SharedService
class FuzzTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final int CASES = Boolean.getBoolean("countersign.full") ? 5_000 : 250;
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private static TestService service;
  private static TestClient client;
  private static Lines lines;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
    // After the start, which configures logging again. A request logs one line with INFO.
    ((Logger) LoggerFactory.getLogger("countersign.requests")).setLevel(Level.INFO);
    lines = new Lines();
    lines.setContext(ROOT.getLoggerContext());
    lines.start();
    ROOT.addAppender(lines);
  }

  @AfterAll
  static void stop() {
    ROOT.detachAppender(lines);
    ((Logger) LoggerFactory.getLogger("countersign.requests")).setLevel(Level.WARN);
  }

  @Test
  void request_mutatedAtRandom_isNeverADefectNorAHang() throws IOException {
    Random random = new Random(20_261_120);
    List<byte[]> good =
        List.of(
            client.get(WALLETS + "?size=1&sort=name").text().getBytes(ISO_8859_1),
            client
                .post(WALLETS, "{\"name\":\"Fuzzed\",\"currencyCode\":\"EUR\"}")
                .text()
                .getBytes(ISO_8859_1));
    for (int i = 0; i < CASES; i++) {
      byte[] mutant = mutated(good.get(i % good.size()), random);
      assertThat(statusOf(mutant)).as(() -> new String(mutant, ISO_8859_1)).isNotIn(500, 503);
    }

    assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
    assertThat(lines.all)
        .as("no defect in the log")
        .filteredOn(line -> line.startsWith("ERROR") || line.startsWith("WARN"))
        // The store's warning on a slow disk.
        .allMatch(line -> line.contains("SQLite is busy"));
  }

  private static byte[] mutated(byte[] good, Random random) {
    ByteArrayOutputStream mutant = new ByteArrayOutputStream();
    int changes = 1 + random.nextInt(4);
    double chance = (double) changes / good.length;
    for (byte b : good) {
      if (random.nextDouble() >= chance) {
        mutant.write(b);
        continue;
      }
      switch (random.nextInt(4)) {
        case 0 -> mutant.write(b ^ (1 << random.nextInt(8)));
        case 1 -> mutant.write(random.nextInt(256));
        case 2 -> {
          mutant.write(b);
          mutant.write("\r\n :;,=\"()%?&\0é".charAt(random.nextInt(15)));
        }
        default -> {
          // Removed.
        }
      }
    }
    return mutant.toByteArray();
  }

  /** 0 if the connection ends without a response. */
  private static int statusOf(byte[] request) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      // The end of the output also ends a head whose last line was incomplete.
      connection.send(request).endOutput();
      String answer = connection.readAll();
      assertThat(answer).doesNotContain("Exception", "\tat ");
      return answer.startsWith("HTTP/1.1 ") ? RawResponse.parse(answer).status() : 0;
    } catch (SocketException reset) {
      return 0;
    }
  }

  @Test
  void log_ofGoodAndBadRequests_holdsNothingOfThem() {
    RawRequest post = client.post(WALLETS, "{\"name\":\"Unspeakable\",\"currencyCode\":\"EUR\"}");
    RawRequest get = client.get(WALLETS + "?size=1&sort=createdAt");
    lines.all.clear();

    assertThat(post.send().status()).isEqualTo(201);
    assertThat(post.send().reason()).isEqualTo("replayed");
    post.withBody(post.body() + " ").send();
    get.send();
    get.with("Date", "nonsense").send();
    get.withTarget(get.target() + "&x=%ff").send();
    get.withTarget(get.target() + "\"<>").send();
    get.withTarget("/actuator/health?" + get.target().split("\\?")[1] + "%ff").send();
    client.post(WALLETS, "{\"name\":\"Unspeakable\"").send();
    RawRequest.send(service.port(), get.text().replace("Signature: ", "Signature "));
    RawRequest.send(service.port(), post.text().replace("Content-Digest: ", "Content-Digest : "));
    RawRequest.send(service.port(), get.text().replace("sig=:", "sig=:\u0001"));

    // A line is written after its response was sent.
    Awaitility.await()
        .until(() -> lines.all.stream().filter(l -> l.contains("requestId")).count() >= 10);
    String log = String.join("\n", lines.all);
    assertThat(log)
        .contains("method=\"POST\"", "path=\"" + WALLETS + "\"", "clientId", "reason=\"replayed\"")
        .doesNotContain("Unspeakable", "createdAt", "size=1", "sha-256", "sig=", "&x=", "nonsense")
        .doesNotContain(inner(get.header("Signature")), inner(post.header("Signature")))
        .doesNotContain(inner(post.header("Content-Digest")));
  }

  private static String inner(String field) {
    return field.substring(field.indexOf(':') + 1, field.indexOf(':') + 20);
  }

  /**
   * Every line about a request with everything that a layout could print: message, pairs, context
   * and stack trace. The other threads of this JVM's services may log that they were delayed.
   */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final Queue<String> all = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      if (!event.getThreadName().startsWith("tomcat-handler-")) {
        return;
      }
      all.add(
          event.getLevel()
              + " "
              + event.getFormattedMessage()
              + " "
              + event.getKeyValuePairs()
              + " "
              + event.getMDCPropertyMap()
              + " "
              + (event.getThrowableProxy() == null ? "" : event.getThrowableProxy().getMessage()));
    }
  }
}
