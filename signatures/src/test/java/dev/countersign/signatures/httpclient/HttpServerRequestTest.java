package dev.countersign.signatures.httpclient;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.contract.Leeway;
import dev.countersign.signatures.contract.RawClient;
import dev.countersign.signatures.contract.RefusedException;
import dev.countersign.signatures.contract.RequestMessageContract;
import dev.countersign.signatures.contract.WireExchange;
import dev.countersign.signatures.contract.WireMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the receiving side: an adapter of a few lines passes it. */
class HttpServerRequestTest extends RequestMessageContract {
  private static final BlockingQueue<RequestMessage> RECEIVED = new LinkedBlockingQueue<>();
  private static HttpServer server;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", HttpServerRequestTest::receive);
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      RECEIVED.add(new HttpServerRequest(exchange));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @Override
  protected WireExchange<RequestMessage> exchange(WireMessage wanted)
      throws IOException, RefusedException {
    int port = server.getAddress().getPort();
    WireMessage wire = RawClient.complete(wanted, port);
    int status = RawClient.send(wire, port);
    RequestMessage received = RECEIVED.poll();
    if (received == null) {
      throw new RefusedException("status " + status);
    }
    return new WireExchange<>(wire, received);
  }

  @Override
  protected Set<Leeway> leeways() {
    return Set.of(Leeway.ASTERISK_FORM, Leeway.TRAILERS, Leeway.TABS_BECOME_SPACES);
  }

  @Override
  protected Set<String> refusedNames() {
    return Set.of("@method", "@target-uri", "@authority", "@path", ":method", ":path");
  }

  @Override
  protected Set<String> refusedTargets() {
    return Set.of("/a?b={1}", "/a?b=%");
  }
}
