package dev.countersign.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.base.VerificationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server that accepts only requests whose signature verifies, and records them. */
final class SignedServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final MessageVerifier verifier;
  private final Function<ServedRequest, Reply> replies;
  private final List<ServedRequest> requests = new CopyOnWriteArrayList<>();

  private SignedServer(Clock clock, Function<ServedRequest, Reply> replies) throws IOException {
    this.verifier = TestKey.verifier(clock);
    this.replies = replies;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  static SignedServer replying(Function<ServedRequest, Reply> replies) throws IOException {
    return new SignedServer(Clock.systemUTC(), replies);
  }

  static SignedServer byClock(Clock clock, Function<ServedRequest, Reply> replies)
      throws IOException {
    return new SignedServer(clock, replies);
  }

  /** One reply per request; the last one for all further requests. */
  static SignedServer replying(Reply... replies) throws IOException {
    Queue<Reply> queue = new ArrayDeque<>(Arrays.asList(replies));
    return replying(request -> next(queue));
  }

  private static Reply next(Queue<Reply> queue) {
    synchronized (queue) {
      return queue.size() > 1 ? queue.remove() : queue.element();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      ServedRequest request = new ServedRequest(exchange, exchange.getRequestBody().readAllBytes());
      requests.add(request);
      answer(exchange, reply(request));
    }
  }

  private Reply reply(ServedRequest request) {
    try {
      verifier.verify(request, request.body());
    } catch (VerificationException e) {
      String reason = e.failure().name().toLowerCase(Locale.ROOT);
      return Reply.problem(
          401, String.format(Locale.ROOT, "\"reason\": \"%s\", \"detail\": \"refused\"", reason));
    }
    return replies.apply(request);
  }

  private static void answer(HttpExchange exchange, Reply reply) throws IOException {
    if (reply.status() < 0) {
      // Closing without a response ends the connection.
      return;
    }
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    boolean bodiless = reply.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), bodiless ? -1 : reply.body().length);
    if (!bodiless) {
      exchange.getResponseBody().write(reply.body());
    }
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  URI uri(String target) {
    return URI.create(uri() + target);
  }

  /** The received requests in order, whether refused or not. */
  List<ServedRequest> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
