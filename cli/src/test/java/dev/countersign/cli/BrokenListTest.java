package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.cli.TestShell.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that returns two pages of three and then breaks. */
class BrokenListTest {
  private static final int BREAKS_AT = 200;

  @TempDir private Path home;
  private HttpServer service;
  private TestShell shell;
  private volatile boolean drops;
  private volatile boolean countFails;
  private volatile boolean refusesCursors;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/items", this::answer);
    service.start();
    shell =
        new TestShell(home)
            .with("COUNTERSIGN_BASE_URL", "http://127.0.0.1:" + service.getAddress().getPort())
            .with("COUNTERSIGN_CLIENT_ID", "c-1")
            .with("COUNTERSIGN_KEY", TestShell.keyFile(home).toString());
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (countFails) {
        send(exchange, 503, "{\"reason\":\"total_unavailable\",\"detail\":\"no total\"}");
        return;
      }
      if (refusesCursors && exchange.getRequestURI().getQuery().contains("after=")) {
        send(exchange, 400, "{\"reason\":\"parameter_invalid\",\"detail\":\"it is gone\"}");
        return;
      }
      if (refusesCursors) {
        exchange
            .getResponseHeaders()
            .set("Link", "</items?after=a1>; rel=\"https://countersign.dev/rels/after\"");
      }
      int offset =
          Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll(".*offset=", ""));
      if (offset < BREAKS_AT) {
        send(exchange, 200, page(offset));
      } else if (!drops) {
        send(exchange, 500, "{}");
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .set("Content-Type", status < 300 ? "application/json" : "application/problem+json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String page(int offset) {
    String items =
        IntStream.range(offset, offset + 100)
            .mapToObj(i -> "{\"id\":" + i + ",\"amount\":1.10}")
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        """
        {"content":[%s],"last":false,"first":%s,"totalPages":3,"totalElements":300,"size":100,
         "number":%d,"numberOfElements":100,"empty":false,
         "sort":{"empty":true,"sorted":false,"unsorted":true}}
        """,
        items,
        offset == 0,
        offset / 100);
  }

  @Test
  void list_thatIsRefusedHalfWay_isValidAndSaysHowToResume() {
    Run run = shell.run("list", "/items?a=b&c=d", "--all", "--format", "json");

    JsonNode array = new JsonMapper().readTree(run.out());
    assertThat(run.code()).isEqualTo(3);
    assertThat(array.size()).isEqualTo(BREAKS_AT);
    assertThat(run.err())
        .startsWith("http_500: ")
        .endsWith(
            "\nresume with: countersign list '/items?a=b&c=d' --all --offset 200"
                + " --format json\n");
  }

  @Test
  void list_whoseConnectionBreaks_isRetriedAndThenExits4() {
    drops = true;

    Run run = shell.run("list", "/items", "--max", "250", "--format", "csv");

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.out()).startsWith("id,amount\r\n0,1.10\r\n").hasLineCount(1 + BREAKS_AT);
    assertThat(run.err())
        .startsWith("connection_failed: ")
        .contains("--max 50 --offset 200 --format csv --columns id,amount --no-header");
  }

  @Test
  void list_thatBreaksWithJson_carriesTheCommandInTheObject() {
    Run run = shell.run("list", "/items", "--all", "--json");

    JsonNode error = new JsonMapper().readTree(run.err());
    assertThat(error.path("resume").asString()).startsWith("countersign list /items --all");
    assertThat(error.path("status").asInt()).isEqualTo(500);
  }

  @Test
  void list_whoseCountFails_advisesToLeaveItOut() {
    countFails = true;

    Run run = shell.run("list", "/items", "--all");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err())
        .startsWith("total_unavailable: ")
        .endsWith("\nadd --no-totals to list the items without their number\n");
  }

  /** A cursor with a key only, whose record was deleted. */
  @Test
  void list_whoseCursorIsRefused_hasNoPlaceToResume() {
    refusesCursors = true;

    Run run = shell.run("list", "/items", "--all", "--format", "jsonl");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.out()).hasLineCount(100);
    assertThat(run.err()).startsWith("parameter_invalid: ").doesNotContain("resume with");
  }
}
