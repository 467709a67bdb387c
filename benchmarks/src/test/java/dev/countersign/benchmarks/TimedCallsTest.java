package dev.countersign.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
}
