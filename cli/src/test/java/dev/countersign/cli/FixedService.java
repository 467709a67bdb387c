package dev.countersign.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A service that checks nothing, records the headers of each request, and returns fixed responses.
 */
final class FixedService implements AutoCloseable {
  private final HttpServer server;
  private final Function<String, String> answers;
  private final List<Headers> requests = new CopyOnWriteArrayList<>();

  private FixedService(Function<String, String> answers) throws IOException {
    this.answers = answers;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Answers each query with a body; an empty body makes the status 500. */
  static FixedService start(Function<String, String> answers) throws IOException {
    return new FixedService(answers);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  TestShell shell(Path home) {
    return new TestShell(home)
        .with("COUNTERSIGN_BASE_URL", url())
        .with("COUNTERSIGN_CLIENT_ID", "c-1")
        .with("COUNTERSIGN_KEY", TestShell.keyFile(home).toString());
  }

  /** The headers of the received requests. */
  List<Headers> requests() {
    return requests;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(exchange.getRequestHeaders());
      String body = answers.apply(String.valueOf(exchange.getRequestURI().getQuery()));
      byte[] bytes = (body.isEmpty() ? "{}" : body).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(body.isEmpty() ? 500 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
