package dev.countersign.server;

import static dev.countersign.server.RawResponse.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that do not come in their time, to a service that gives a body one second. */
@Tag("alone")
class BodyTimeTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data,
            0,
            "countersign.access.body-limit=64KB",
            "countersign.access.body-timeout=1s",
            "server.tomcat.connection-timeout=2m");
    client = service.register();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** A request with a body of more than a hundred bytes, of another content each time. */
  private static String post() {
    String name = "W%d%s".formatted(COUNT.incrementAndGet(), "a".repeat(90));
    String body = "{\"name\":\"%s\",\"currencyCode\":\"EUR\"}".formatted(name);
    return HandSigned.post(client, service.port(), WALLETS, body).request().text();
  }

  @Test
  void body_fallingSilent_is408InItsTime() throws IOException {
    String text = post();
    // It gives up long before the engine does: what comes, comes by the time of the body.
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, text.length() - 5));

      assertRefused(connection.read(), 408, "body_timeout");
    }
  }

  @Test
  void body_trickling_is408InItsTime() throws Exception {
    String text = post();
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, end));
      int sent = end;
      while (sent < text.length() && !isAnsweredAfter(text.substring(sent, sent + 1), connection)) {
        sent++;
      }
      assertThat(sent).as("sent when the answer came").isLessThan(text.length());
      assertRefused(connection.read(), 408, "body_timeout");
    }
  }

  private static boolean isAnsweredAfter(String next, RawConnection connection) throws IOException {
    try {
      connection.send(next);
    } catch (SocketException closed) {
      // The answer came before.
    }
    return connection.hasAnswer();
  }

  /** Six seconds each: the quick run has the first. */
  static Stream<String> starts() {
    return Stream.of("POST " + WALLETS, "OPTIONS *", "GET /actuator/health")
        .limit(Boolean.getBoolean("countersign.full") ? 3 : 1);
  }

  @ParameterizedTest
  @MethodSource("starts")
  void body_ofAStrangerDripping_endsTheConnectionInSeconds(String start) throws Exception {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(start + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n");
      connection.read();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 600; i++) {
                  connection.send("a");
                  Thread.sleep(100);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void answerTo408_endsTheConnection() throws IOException {
    String text = post();
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, text.length() - 5));

      assertThat(connection.readAll()).startsWith("HTTP/1.1 408");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 600; i++) {
                  connection.send(text);
                  Thread.sleep(100);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }
}
