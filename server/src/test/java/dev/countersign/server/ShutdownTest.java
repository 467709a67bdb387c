package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a service by a signal, and of the demo. */
@Tag("alone")
class ShutdownTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  @Test
  void serve_terminatedWithABodyUnderWay_answersItAndTakesNoMore() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new Operator(folder, data).add(TestService.KEYS);
    int port;
    try (CommandProcess service = CommandProcess.serve(folder, data)) {
      port = service.port();
      RawRequest post =
          new TestClient(port, clientId, TestService.KEYS.getPrivate()).post(WALLETS, SAVINGS);
      try (Socket socket = new Socket("localhost", port)) {
        String text = post.text();
        int half = text.length() - SAVINGS.length() / 2;
        socket.getOutputStream().write(text.substring(0, half).getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        Thread.sleep(500);
        service.terminate();
        awaitRefusal(port);
        assertThat(service.process().isAlive()).as("a request is in flight").isTrue();

        socket.getOutputStream().write(text.substring(half).getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        socket.setSoTimeout(20_000);
        assertThat(firstLine(socket.getInputStream())).startsWith("HTTP/1.1 201");
      }
      // 128 and the number of the signal, as a shell says it.
      assertThat(service.exitCode()).isEqualTo(143);
      assertThat(service.out()).doesNotContain("Exception");
      assertThat(service.err().lines().filter(line -> line.contains("at "))).isEmpty();
    }
    // Nothing is left behind that would keep the next one, or another program, from the data.
    assertThat(data.resolve("countersign.db-wal")).doesNotExist();
    try (CommandProcess again = CommandProcess.serve(folder, data)) {
      RawResponse page =
          new TestClient(again.port(), clientId, TestService.KEYS.getPrivate()).get(WALLETS).send();
      assertThat(page.json().path("totalElements").asInt()).isEqualTo(1);
      long asked = System.nanoTime();
      again.terminate();
      again.exitCode();
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - asked)).isLessThan(10);
    }
  }

  @Test
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

        new ProcessBuilder("kill", "-" + signal, String.valueOf(demo.process().pid()))
            .start()
            .waitFor();
        demo.exitCode();
        assertThat(directory).doesNotExist();
        assertThat(demo.err()).isEmpty();
      }
    }
  }

  @Test
  void serve_demo_fillsAnEmptyDatabaseAndNoOther() throws Exception {
    Path data = folder.resolve("data");
    String clientId = new Operator(folder, data).add(TestService.KEYS);
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
              for (int i = 0; i < 100; i++) {
                new Socket("localhost", port).close();
                Thread.sleep(50);
              }
            })
        .isInstanceOf(ConnectException.class);
  }

  private static String firstLine(InputStream in) throws Exception {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }
}
