package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every request leaves one log line with its outcome and without secrets. */
@ExtendWith(OutputCaptureExtension.class)
class RequestLogTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final JsonMapper STRICT =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  @TempDir private Path folder;

  /**
   * Spring Boot passes the format to the log in a system property, which would remain, as would the
   * log level. Shared services keep the level at warnings.
   */
  @AfterEach
  void forgetFormatAndLevel() {
    System.clearProperty("CONSOLE_LOG_STRUCTURED_FORMAT");
    LoggingSystem.get(getClass().getClassLoader()).setLogLevel("countersign", LogLevel.WARN);
  }

  @Test
  void requests_ofEveryEnd_leaveOneLineEach(CapturedOutput output) {
    try (TestService service = start()) {
      TestClient client = service.register();
      RawRequest get = client.get(WALLETS + "?page=0");
      RawResponse page = get.send();
      RawResponse stranger = get.without("Signature").send();
      RawResponse broken = RawRequest.send(service.port(), "GET /a b c HTTP/1.1\r\n\r\n");
      RawResponse large = get.with("Cookie", "a".repeat(30_000)).send();

      assertThat(line(output, page))
          .contains("method=GET path=" + WALLETS + " status=200 reason=- check=- clientId=")
          .contains("clientId=" + client.clientId() + " standing=verified ")
          .containsPattern("durationMicros=\\d+");
      assertThat(line(output, stranger))
          .contains(
              "status=401 reason=signature_missing check=fields clientId=- standing=anonymous ")
          .contains("requestId=" + stranger.json().path("requestId").asString());
      assertThat(line(output, broken)).contains("status=400 reason=request_malformed check=-");
      assertThat(broken.status()).isEqualTo(400);
      assertThat(line(output, large)).containsPattern("status=4\\d\\d reason=request_malformed");
      assertThat(large.status()).isBetween(400, 499);
      assertThat(output.getAll())
          .doesNotContain("page=0", "sig=", get.header("Signature").substring(5, 60), "aaaaaa");
    }
  }

  /** The operator finds what a proxy wrote; the caller does not see it. */
  @Test
  void forwardingHeaders_unreadable_areNotedInTheLine(CapturedOutput output) {
    try (TestService service = start("countersign.access.trusted-proxies=127.0.0.1")) {
      RawRequest get = service.register().get("/" + "a".repeat(9_000));
      RawResponse hop = get.with("X-Forwarded-For", "203.0.113.7, [not\" clientId=x").send();
      RawResponse cut = get.with("X-Forwarded-For", "x".repeat(5_000)).send();
      RawResponse scheme = get.with("X-Forwarded-Proto", "gopher").send();
      RawResponse page =
          RawRequest.send(
              service.port(),
              "GET /portal/sign-in HTTP/1.1\r\nHost: localhost\r\n"
                  + "X-Forwarded-For: unknown\r\nConnection: close\r\n\r\n");

      RawResponse host =
          RawRequest.send(
              service.port(),
              "GET /actuator/health HTTP/1.1\r\nHost: countersign_api:80\r\n"
                  + "Connection: close\r\n\r\n");

      RawResponse user =
          RawRequest.send(
              service.port(),
              "GET / HTTP/1.1\r\nHost: me:secret@" + "a".repeat(5_000) + "-\r\n\r\n");

      assertThat(line(output, host)).contains(" note=\"Host has 'countersign_api:80'\" ");
      assertThat(line(output, user))
          .contains(" note=\"Host has 'aaaa")
          .doesNotContain("secret")
          .hasSizeLessThan(1_024);
      assertThat(user.body()).hasSizeLessThan(1_024);
      assertThat(hop.body()).contains("X-Forwarded-For").doesNotContain("[not", "clientId=x");
      assertThat(line(output, hop))
          .contains("status=400 reason=request_malformed check=-")
          .contains(" note=\"X-Forwarded-For has '[not' clientId=x'\" clientId=- ");
      assertThat(line(output, cut)).hasSizeLessThan(1_024).contains("xxx\u2026");
      assertThat(line(output, scheme)).contains("X-Forwarded-Proto has ", "gopher");
      assertThat(line(output, page)).contains(" status=400 ", "X-Forwarded-For has ", "unknown");
    }
  }

  @Test
  void line_ofAnAnonymousCaller_isBounded(CapturedOutput output) {
    try (TestService service = start()) {
      String path = "/" + "a".repeat(14_000);
      TestClient client = service.register();
      RawResponse anonymous =
          RawRequest.send(service.port(), "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
      RawResponse verified = client.get(path.substring(0, 4_000)).send();

      assertThat(line(output, anonymous))
          .hasSizeLessThan(1_024)
          .contains("path=/aaa", "aaa\u2026 status=401");
      // A partner's line shows the whole path.
      assertThat(line(output, verified)).hasSizeGreaterThan(4_000).contains("standing=verified");
    }
  }

  @ParameterizedTest
  @Tag("full")
  @ValueSource(strings = {"logstash", "ecs"})
  void structuredFormat_isAJsonObjectALine(String format, CapturedOutput output) {
    try (TestService service = start("logging.structured.format.console=" + format)) {
      TestClient client = service.register();
      RawResponse page = client.get(WALLETS).send();

      JsonNode line = STRICT.readTree(line(output, page));
      assertThat(line.path("method").asString()).isEqualTo("GET");
      assertThat(line.path("path").asString()).isEqualTo(WALLETS);
      assertThat(line.path("status").asInt()).isEqualTo(200);
      assertThat(line.path("reason").asString()).isEqualTo("-");
      assertThat(line.path("check").asString()).isEqualTo("-");
      assertThat(line.path("clientId").asString()).isEqualTo(client.clientId());
      assertThat(line.path("durationMicros").asLong()).isPositive();
      assertThat(line.path("requestId").asString()).isEqualTo(page.header("x-request-id"));
    }
  }

  /** As an operator runs it, with the default log. */
  private TestService start(String... settings) {
    // A shared service has already configured the log of this JVM.
    LoggingSystem.get(getClass().getClassLoader()).cleanUp();
    List<String> all = new ArrayList<>(List.of("server.port=0"));
    all.addAll(List.of(settings));
    return TestService.startAsConfigured(folder, 1, all);
  }

  /** Waits for the one line about a request. It is written after the response was sent. */
  private static String line(CapturedOutput output, RawResponse answer) {
    String id = answer.header("x-request-id");
    assertThat(id).isNotEmpty();
    List<String> lines =
        Awaitility.await()
            .until(
                () ->
                    output
                        .getOut()
                        .lines()
                        .filter(line -> line.contains("durationMicros") && line.contains(id))
                        .toList(),
                found -> !found.isEmpty());
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }
}
