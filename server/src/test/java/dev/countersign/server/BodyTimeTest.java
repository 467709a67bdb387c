package dev.countersign.server;

import static dev.countersign.server.RawResponse.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that do not arrive in time, at a service that allows one second for a body. */
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
            "server.tomcat.connection-timeout=10m");
    client = service.register();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String post() {
    return post("");
  }

  /** A request with a body that differs each time and begins with these spaces. */
  private static String post(String spaces) {
    String body =
        spaces + "{\"name\":\"W" + COUNT.incrementAndGet() + "\",\"currencyCode\":\"EUR\"}";
    return client.post(WALLETS, body).text();
  }

  @Test
  void body_fallingSilent_is408InItsTime() throws IOException {
    String text = post();
    // The body's timeout applies long before the engine's, so it ends the request.
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, text.length() - 5));

      assertRefused(connection.read(), 408, "body_timeout");
    }
  }

  /** The spaces are enough for minutes, so that the time ends first however slow the machine is. */
  @Test
  void body_trickling_is408InItsTime() throws Exception {
    String text = post(" ".repeat(1_000));
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, end));
      int sent = end;
      while (sent < text.length() && !isAnsweredAfter(text.substring(sent, sent + 1), connection)) {
        sent++;
      }
      assertThat(sent).as("sent before the response arrived").isLessThan(text.length());
      assertRefused(connection.read(), 408, "body_timeout");
    }
  }

  private static boolean isAnsweredAfter(String next, RawConnection connection) throws IOException {
    try {
      connection.send(next);
    } catch (SocketException closed) {
      // The response came earlier.
    }
    return connection.hasAnswer();
  }

  /** Each takes six seconds, so the quick run has only the first. */
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
      assertEnds(connection, "a");
    }
  }

  @Test
  void answerTo408_endsTheConnection() throws IOException {
    String text = post();
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, text.length() - 5));

      assertThat(connection.readAll()).startsWith("HTTP/1.1 408");
      assertEnds(connection, text);
    }
  }

  /** Sends a text again and again until the service has ended the connection. */
  private static void assertEnds(RawConnection connection, String text) {
    Awaitility.await()
        .until(
            () -> {
              try {
                connection.send(text);
                return false;
              } catch (IOException ended) {
                return true;
              }
            });
  }
}
