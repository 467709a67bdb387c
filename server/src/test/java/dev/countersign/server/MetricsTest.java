package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.store.MigratedFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;

/** The metrics, and the port that serves nothing else. */
class MetricsTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final Pattern OWN = Pattern.compile("(?m)^# TYPE (countersign_\\w+) \\w+$");
  private static TestService service;
  private static TestClient client;
  private static int port;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, 3, "management.server.port=0");
    client = service.register();
    port =
        service.part(Environment.class).getRequiredProperty("local.management.port", Integer.class);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static RawResponse get(int port, String path) {
    return RawRequest.send(
        port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  private static String scrape() {
    RawResponse answer = get(port, "/actuator/prometheus");
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void requests_areCountedByRouteReasonAndCheck() {
    assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
    client.get(WALLETS + "?page=0").send();
    client.get(WALLETS + "/none").send();
    client.get(WALLETS).with("Signature", "sig=:AAAA:").send();
    brew("/");

    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(scrape())
                    .contains(
                        counter("none", "GET", "none", WALLETS),
                        counter("signature", "GET", "signature_mismatch", WALLETS),
                        counter("fields", "other", "signature_missing", "other"),
                        "countersign_request_duration_seconds_bucket"));
    assertThat(scrape()).doesNotContain(client.clientId());
  }

  private static String counter(String check, String method, String reason, String route) {
    return "countersign_requests_total{check=\""
        + check
        + "\",method=\""
        + method
        + "\",reason=\""
        + reason
        + "\",route=\""
        + route
        + "\"";
  }

  private static void brew(String path) {
    RawRequest.send(
        service.port(),
        "BREW " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  /** Callers choose paths and methods, and must not be able to fill the memory with them. */
  @Test
  void randomPathsAndMethods_addNoSeries() throws IOException {
    assertAddNoSeries(500);
  }

  @Test
  @Tag("full")
  void tenThousandPathsAndMethods_addNoSeries() throws IOException {
    assertAddNoSeries(10_000);
  }

  private static void assertAddNoSeries(int count) throws IOException {
    RawConnection connection = new RawConnection(service.port());
    for (int i = 0; i < count; i++) {
      String path = "/area" + i + "/v1/x";
      RawResponse answer =
          connection
              .send(
                  i % 50 == 0
                      ? client.get(path).text()
                      : "M" + i + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
              .read();
      assertThat(answer.status()).isBetween(400, 404);
      // The engine ends a connection after a hundred requests.
      if (!answer.header("connection").isEmpty()) {
        connection.close();
        connection = new RawConnection(service.port());
      }
    }
    connection.close();
    Awaitility.await().until(() -> scrape().contains(counter("none", "GET", "not_found", "other")));
    assertThat(scrape()).contains("method=\"other\"").doesNotContain("/area", "\"M1");
  }

  @Test
  void names_areThoseOfTheDocument() throws IOException {
    client.get(WALLETS).send();
    Awaitility.await().until(() -> scrape().contains("countersign_requests_total{"));
    Set<String> documented =
        Files.readAllLines(Path.of("../docs/metrics.md")).stream()
            .filter(line -> line.startsWith("| `countersign_"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> served =
        OWN.matcher(scrape())
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(served).isEqualTo(documented);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/actuator",
        "/actuator/",
        "/actuator/health",
        "/actuator/env",
        "/actuator/heapdump",
        "/actuator/loggers",
        "/actuator/shutdown",
        "/actuator/metrics",
        "/actuator/prometheus/",
        "/actuator/prometheus;x",
        "/%61ctuator/prometheus",
        "/ledger/v1/wallets",
        "/portal",
        "/error",
      })
  void port_servesNothingElse(String path) {
    RawResponse answer = get(port, path);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void port_takesNoPost() {
    RawResponse answer =
        RawRequest.send(
            port,
            "POST /actuator/prometheus HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n");
    assertThat(answer.status()).isEqualTo(404);
  }

  @Test
  void port_isOnLoopbackOnly() throws IOException {
    new Socket(InetAddress.getByName("127.0.0.1"), port).close();
    assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), port).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void probes_stayOnThePortOfTheApi() {
    RawResponse health = get(service.port(), "/actuator/health");
    assertThat(health.status()).as(health.toString()).isEqualTo(200);
    assertThat(health.body())
        .isEqualTo("{\"groups\":[\"liveness\",\"readiness\"],\"status\":\"UP\"}");
    assertThat(health.header("content-type"))
        .isEqualTo("application/vnd.spring-boot.actuator.v3+json");
    for (String probe : new String[] {"liveness", "readiness"}) {
      assertThat(get(service.port(), "/actuator/health/" + probe).body())
          .isEqualTo("{\"status\":\"UP\"}");
    }
    assertThat(get(service.port(), "/actuator/prometheus").reason()).isEqualTo("signature_missing");
    assertThat(client.get("/actuator/prometheus").send().reason()).isEqualTo("not_found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void readiness_ofANodeThatIsNotFit_isDown(String method) {
    NodeFitness fitness = service.part(NodeFitness.class);
    try {
      // The node may judge its clock itself in between.
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .untilAsserted(
              () -> {
                fitness.setClockFault("wrong");
                RawResponse answer =
                    RawRequest.send(
                        service.port(),
                        method
                            + " /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n"
                            + "Connection: close\r\n\r\n");
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.body())
                    .isEqualTo(method.equals("GET") ? "{\"status\":\"OUT_OF_SERVICE\"}" : "");
              });
    } finally {
      fitness.setClockFault(null);
    }
  }

  /** No certificate of the API is valid for loopback. */
  @Test
  void port_besideAnApiWithTls_hasNone(@TempDir Path data) throws Exception {
    List<String> settings = new ArrayList<>(TestCertificate.make(data.resolve("tls")).settings());
    settings.addAll(
        List.of("server.port=0", "management.server.port=0", "management.server.address="));
    try (TestService tls =
        TestService.start(data.resolve("data"), 1, settings.toArray(String[]::new))) {
      int ofMetrics = tls.metricsPort();
      assertThat(get(ofMetrics, "/actuator/prometheus").status()).isEqualTo(200);
      assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), ofMetrics).close())
          .as("with an empty address")
          .isInstanceOf(IOException.class);
    }
  }

  /** A command does not know the port that serve is given. */
  @Test
  void portOfTheMetrics_isNoMatterOfCommands(@TempDir Path data) throws IOException {
    Path configuration = Files.writeString(data.resolve("c.yaml"), "management.server.port: 8080");
    MigratedFiles.copyTo(data.resolve("data"));
    CommandResult printed =
        OperatorShell.run(
            "clients",
            "list",
            "--data",
            data.resolve("data").toString(),
            "--config",
            configuration.toString());
    assertThat(printed.exitCode()).as(printed.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8079 | 8079 | management.server.port must differ from the port of the API, was 8079",
        "8079 | 08079 | management.server.port must differ from the port of the API, was 08079",
        "8079 | 65536 | management.server.port must be 0 to 65535, was 65536",
        "8079 | -1 | management.server.port must be 0 to 65535, was -1",
        "8079 | off | management.server.port must be 0 to 65535, was off",
      })
  void port_thatCannotBe_stopsTheStart(
      String ofApi, String ofMetrics, String message, @TempDir Path data) {
    List<String> settings = List.of("server.port=" + ofApi, "management.server.port=" + ofMetrics);
    assertThatThrownBy(() -> TestService.startAsConfigured(data, 1, settings).close())
        .isInstanceOf(CommandException.class)
        .hasMessage(message);
  }

  @Test
  void port_thatIsTaken_stopsTheStartWithItsSetting(@TempDir Path data) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String setting = "management.server.port=" + taken.getLocalPort();
      assertThatThrownBy(() -> TestService.start(data, 1, setting).close())
          .isInstanceOf(CommandException.class)
          .hasMessage(
              "port "
                  + taken.getLocalPort()
                  + ", on which the metrics are served, is in use; choose another one with"
                  + " management.server.port");
    }
  }
}
