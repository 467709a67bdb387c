package dev.countersign.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimedCallsTest {

  @Test
  void call_afterARefusalThatClosesTheConnection_connectsAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Connection", "close");
          exchange.sendResponseHeaders(calls.getAndIncrement() == 0 ? 503 : 200, -1);
          exchange.close();
        });
    server.start();
    try (TimedCalls timed = new TimedCalls("http://127.0.0.1:" + server.getAddress().getPort())) {
      assertThatThrownBy(() -> timed.call(timed.get("/"), 200)).hasMessageContaining("503");
      assertThat(timed.call(timed.get("/"), 200)).isPositive();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void call_afterTheServerHasEndedTheConnection_connectsAgain() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        TimedCalls timed = new TimedCalls("http://127.0.0.1:" + server.getLocalPort())) {
      Thread.ofPlatform().daemon().start(() -> answerTwice(server));
      assertThat(timed.call(timed.get("/"), 200)).isPositive();
      assertThat(timed.call(timed.get("/"), 200)).isPositive();
      assertThatThrownBy(() -> timed.call(timed.get("/"), 200)).isInstanceOf(IOException.class);
    }
  }

  /** Answers one request on each of two connections, and none on the third. */
  private static void answerTwice(ServerSocket server) {
    try {
      for (int i = 0; i < 3; i++) {
        try (Socket connection = server.accept()) {
          new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII))
              .lines()
              .takeWhile(line -> !line.isEmpty())
              .count();
          if (i < 2) {
            connection
                .getOutputStream()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
