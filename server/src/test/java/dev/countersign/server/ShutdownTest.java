package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a service after a signal, and of the demo. */
class ShutdownTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  @Test
  void serve_terminatedWithABodyUnderWay_answersItAndTakesNoMore() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new OperatorShell(folder, data).add(TestService.KEYS);
    // Longer than any machine needs for the steps in between, so that only the end of the body ends
    // the request.
    Path patient =
        Files.writeString(
            folder.resolve("patient.yaml"),
            """
            countersign.access.body-timeout: 2m
            spring.lifecycle.timeout-per-shutdown-phase: 2m
            """);
    int port;
    try (CommandProcess service =
        CommandProcess.serve(folder, data, "--config", patient.toString())) {
      port = service.port();
      RawRequest post =
          new TestClient(port, clientId, TestService.KEYS.getPrivate())
              .post(WALLETS, SAVINGS)
              .with("Expect", "100-continue");
      try (Socket socket = new Socket("localhost", port)) {
        socket.setSoTimeout(60_000);
        String text = post.text();
        int head = text.length() - SAVINGS.length();
        int half = text.length() - SAVINGS.length() / 2;
        send(socket, text.substring(0, head));
        assertThat(firstLine(socket.getInputStream())).startsWith("HTTP/1.1 100");
        send(socket, text.substring(head, half));
        service.terminate();
        awaitRefusal(port);
        assertThat(service.process().isAlive()).as("a request is in flight").isTrue();

        send(socket, text.substring(half));
        assertThat(firstLine(socket.getInputStream())).startsWith("HTTP/1.1 201");
      }
      // 128 plus the number of the signal, as a shell reports it.
      assertThat(service.exitCode()).isEqualTo(143);
      assertThat(service.out())
          .doesNotContain("Exception")
          .as("the line of the request that ended last")
          .contains("method=POST path=" + WALLETS + " status=201 ");
      assertThat(service.err().lines().filter(line -> line.contains("at "))).isEmpty();
    }
    // Nothing is left behind that would keep the next service, or another program, from using the
    // data.
    assertThat(data.resolve("countersign.db-wal")).doesNotExist();
    Files.writeString(patient, "spring.lifecycle.timeout-per-shutdown-phase: 1h");
    try (CommandProcess again =
        CommandProcess.serve(folder, data, "--config", patient.toString())) {
      RawResponse page =
          new TestClient(again.port(), clientId, TestService.KEYS.getPrivate()).get(WALLETS).send();
      assertThat(page.json().path("totalElements").asInt()).isEqualTo(1);
      again.terminate();
      // Waits for less than the hour that a request in progress would have.
      again.exitCode();
    }
  }

  /** Load balancers and clients turn to other nodes before the port closes. */
  @Test
  void serve_terminated_asksClientsToLeaveUntilAnotherSignal() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new OperatorShell(folder, data).add(TestService.KEYS);
    Path patient =
        Files.writeString(
            folder.resolve("patient.yaml"),
            """
            countersign.access.body-timeout: 2m
            countersign.drain-delay: 10m
            server.http2.enabled: true
            """);
    try (CommandProcess service =
        CommandProcess.serve(folder, data, "--config", patient.toString())) {
      int port = service.port();
      RawRequest get = new TestClient(port, clientId, TestService.KEYS.getPrivate()).get(WALLETS);
      RawRequest post =
          new TestClient(port, clientId, TestService.KEYS.getPrivate())
              .post(WALLETS, SAVINGS)
              .with("Expect", "100-continue");
      int head = post.text().length() - SAVINGS.length();
      try (RawConnection kept = new RawConnection(port);
          RawConnection underWay = new RawConnection(port);
          RawHttp2 http2 = new RawHttp2(port)) {
        underWay.send(post.text().substring(0, head));
        assertThat(underWay.read().status()).isEqualTo(100);
        RawResponse before = kept.send(get.text()).read();
        assertThat(before.status()).isEqualTo(200);
        assertThat(before.header("connection")).isEmpty();
        assertThat(http2.headers(1, true, get).answer(1).reset()).isNull();

        service.terminate();
        service.await(() -> service.out().contains("the service stops in 600 s"));
        assertThat(readiness(port)).isEqualTo(503);
        RawResponse last = kept.send(get.text()).read();
        assertThat(last.status()).isEqualTo(200);
        assertThat(last.header("connection")).isEqualTo("close");
        assertThat(get.send().status()).as("on a new connection").isEqualTo(200);
        assertThat(http2.answer(3).reset()).as("GOAWAY with NO_ERROR").isEqualTo(0);

        underWay.send(post.text().substring(head));
        RawResponse created = underWay.read();
        assertThat(created.status()).as(created.body()).isEqualTo(201);
      }
      service.terminate();
      assertThat(service.exitCode()).isEqualTo(143);
      assertThat(service.out()).doesNotContain("Exception");
    }
  }

  private static int readiness(int port) {
    return RawRequest.send(
            port,
            "GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .status();
  }

  @Test
  @Tag("full")
  void demo_showsItsCallsAndRemovesItsData() throws Exception {
    for (String signal : List.of("INT", "TERM")) {
      try (CommandProcess demo = CommandProcess.start(folder, "demo", "--port", "0")) {
        demo.await(() -> demo.out().contains("Ctrl-C ends"));
        assertThat(demo.out())
            .contains("Answer: 200", "page 0 of 50, 5 of 250 wallets")
            .contains("Answer: 401, signature_mismatch", "\"@target-uri\": http://localhost:")
            .contains("export PRIVATE_KEY=");
        assertThat(demo.err()).isEmpty();
        Path directory =
            Path.of(
                demo.out()
                    .lines()
                    .filter(line -> line.startsWith("Countersign serves "))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll(".* with data in ", ""));
        assertThat(directory).isDirectory();
        try (Stream<Path> files = Files.walk(directory)) {
          assertThat(files.anyMatch(file -> file.endsWith("countersign.db"))).isTrue();
        }

        Waits.forExit(
            new ProcessBuilder("kill", "-" + signal, String.valueOf(demo.process().pid())).start());
        demo.exitCode();
        assertThat(directory).doesNotExist();
        assertThat(demo.err()).isEmpty();
      }
    }
  }

  @Test
  @Tag("full")
  void serve_demo_fillsAnEmptyDatabaseAndNoOther() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new OperatorShell(folder, data).add(TestService.KEYS);
    assertThat(total(data, clientId)).isZero();
    assertThat(total(data, clientId, "--demo")).isEqualTo(250);
    assertThat(total(data, clientId, "--demo")).isEqualTo(250);
    assertThat(total(data, clientId)).isEqualTo(250);
  }

  private int total(Path data, String clientId, String... further) {
    try (CommandProcess service = CommandProcess.serve(folder, data, further)) {
      return new TestClient(service.port(), clientId, TestService.KEYS.getPrivate())
          .get(WALLETS)
          .send()
          .json()
          .path("totalElements")
          .asInt();
    }
  }

  private static void awaitRefusal(int port) {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_200; i++) {
                new Socket("localhost", port).close();
                Thread.sleep(50);
              }
            })
        .isInstanceOf(ConnectException.class);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  /** The first line of the next head, which is read to its end. */
  private static String firstLine(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("the rest after %s", head).isNotNegative();
      head.append((char) next);
    }
    return head.substring(0, head.indexOf("\r\n"));
  }
}
