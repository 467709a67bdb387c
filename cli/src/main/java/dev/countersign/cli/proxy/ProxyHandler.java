package dev.countersign.cli.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.countersign.protocol.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Handles one request through the proxy: checks it, signs it, sends it, and streams the response
 * back.
 */
final class ProxyHandler implements HttpHandler {
  // The maximum number of requests that are forwarded at the same time.
  private static final int MAX_CONCURRENT = 64;

  private final CallerRules rules;
  private final ForwardedRequest forwarding;
  private final Clock clock;
  private final Consumer<String> log;
  private final Semaphore slots = new Semaphore(MAX_CONCURRENT);

  ProxyHandler(CallerRules rules, ForwardedRequest forwarding, Clock clock, Consumer<String> log) {
    this.rules = rules;
    this.forwarding = forwarding;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    long start = clock.millis();
    String outcome = "cut off";
    try {
      outcome = answer(exchange);
      exchange.close();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } finally {
      // Design note: after a failure in the middle of a response, the exchange is not closed here,
      // because closing it would end a chunked body as if it were complete. The server then cuts
      // the connection.
      log.accept(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + " "
              + outcome
              + " "
              + (clock.millis() - start)
              + " ms");
    }
  }

  /** Answers the request, and returns a summary for the log. */
  private String answer(HttpExchange exchange) throws IOException, InterruptedException {
    try {
      rules
          .objection(exchange)
          .ifPresent(
              objection -> {
                throw new ProxyException(403, "caller_refused", objection);
              });
      if (!slots.tryAcquire()) {
        throw new ProxyException(
            503, Reason.OVERLOADED.word(), "the proxy is already handling 64 requests");
      }
      try {
        return writeResponse(forwarding.send(exchange), exchange);
      } finally {
        slots.release();
      }
    } catch (ProxyException refused) {
      write(refused, exchange);
      return refused.status() + " " + refused.reason();
    }
  }

  private String writeResponse(HttpResponse<InputStream> answer, HttpExchange exchange)
      throws IOException {
    exchange
        .getResponseHeaders()
        .putAll(PassedHeaders.ofResponse(answer.headers().map(), forwarding.target()));
    long length = answer.headers().firstValueAsLong("content-length").orElse(0);
    boolean known = answer.headers().firstValue("content-length").isPresent();
    int status = answer.statusCode();
    try (InputStream body = answer.body()) {
      if (exchange.getRequestMethod().equals("HEAD") || status == 204 || status == 304) {
        answer
            .headers()
            .firstValue("content-length")
            .ifPresent(value -> exchange.getResponseHeaders().set("Content-Length", value));
        exchange.sendResponseHeaders(status, -1);
      } else {
        exchange.sendResponseHeaders(status, known && length == 0 ? -1 : length);
        stream(body, exchange.getResponseBody(), known && length == 0);
      }
    }
    return String.valueOf(status);
  }

  private void stream(InputStream body, OutputStream out, boolean empty) throws IOException {
    byte[] chunk = new byte[16 * 1024];
    int read = forwarding.read(body, chunk);
    while (!empty && read >= 0) {
      out.write(chunk, 0, read);
      out.flush();
      read = forwarding.read(body, chunk);
    }
  }

  private static void write(ProxyException refused, HttpExchange exchange) throws IOException {
    JsonMapper json = JsonMapper.shared();
    ObjectNode problem = json.createObjectNode();
    problem.put("title", "The signing proxy did not forward the request");
    problem.put("status", refused.status());
    problem.put("detail", refused.detail());
    problem.put("reason", refused.reason());
    byte[] bytes = json.writeValueAsString(problem).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
    exchange.getResponseHeaders().set("Connection", "close");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(refused.status(), head ? -1 : bytes.length);
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
