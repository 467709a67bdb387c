package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and the dashboard of the release, and a Prometheus that uses them. */
class MonitoringTest {
  private static final Path FOLDER = Path.of("../docs/monitoring").toAbsolutePath().normalize();
  private static final Pattern NAME = Pattern.compile("countersign_\\w+");

  /** A name that no node serves would be a rule that never fires, or an empty panel. */
  @Test
  void rulesAndDashboard_useDocumentedNames() throws IOException {
    Set<String> documented =
        NAME.matcher(Files.readString(FOLDER.resolveSibling("metrics.md")))
            .results()
            .map(found -> found.group())
            .collect(Collectors.toSet());
    Set<String> used = new TreeSet<>();
    String rules = Files.readString(FOLDER.resolve("alerts.yaml"));
    NAME.matcher(rules).results().forEach(found -> used.add(found.group()));
    expressions().forEach(one -> NAME.matcher(one).results().forEach(f -> used.add(f.group())));

    assertThat(used).hasSizeGreaterThan(12);
    assertThat(used.stream().map(name -> name.replaceFirst("_bucket$", "")))
        .allSatisfy(name -> assertThat(documented).contains(name));
  }

  private static List<String> expressions() throws IOException {
    JsonNode dashboard =
        JsonMapper.shared().readTree(Files.readString(FOLDER.resolve("dashboard.json")));
    return StreamSupport.stream(dashboard.path("panels").spliterator(), false)
        .flatMap(panel -> StreamSupport.stream(panel.path("targets").spliterator(), false))
        .map(target -> target.path("expr").asString())
        .toList();
  }

  @Test
  @Tag("full")
  void rules_passTheTestsOfPromtool() throws Exception {
    assumeTrue(
        CommandProcess.succeeds(List.of("promtool", "--version")), "promtool is not installed");
    for (List<String> command :
        List.of(
            List.of("promtool", "check", "rules", "alerts.yaml"),
            List.of("promtool", "test", "rules", "alerts.test.yaml"))) {
      Process process =
          new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Waits.forExit(process)).as(said).isZero();
      assertThat(said).contains("SUCCESS");
    }
  }

  @Test
  @Tag("full")
  void prometheus_scrapesANodeAndEvaluatesTheRulesAndTheDashboard(@TempDir Path data)
      throws Exception {
    assumeTrue(
        CommandProcess.succeeds(List.of("prometheus", "--version")), "prometheus is not installed");
    try (TestService service = TestService.start(data, 3, "management.server.port=0")) {
      TestClient client = service.register();
      assertThat(client.get("/ledger/v1/wallets").send().status()).isEqualTo(200);
      int metrics =
          service
              .part(Environment.class)
              .getRequiredProperty("local.management.port", Integer.class);
      Process process = null;
      int port;
      do {
        port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
        process = prometheus(data, metrics, port);
      } while (process == null);
      try {
        int at = port;
        Awaitility.await()
            .ignoreExceptions()
            .until(() -> value(at, "min(countersign_node_fit)").equals("1"));
        Awaitility.await()
            .until(() -> value(at, "sum(countersign_requests_total{reason=\"none\"})").equals("1"));
        for (String expression : expressions()) {
          String asked = expression.replace("$instance", ".*").replace("$__rate_interval", "1m");
          assertThat(query(at, asked).path("status").asString()).as(asked).isEqualTo("success");
        }
        Awaitility.await()
            .untilAsserted(
                () ->
                    assertThat(health(at))
                        .hasSizeGreaterThan(10)
                        .allSatisfy(health -> assertThat(health).isEqualTo("ok")));
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** Starts a Prometheus; returns null if the port is in use. */
  private static @Nullable Process prometheus(Path folder, int metrics, int port)
      throws IOException, InterruptedException {
    Path configuration =
        Files.writeString(
            folder.resolve("prometheus.yaml"),
            """
            global:
              scrape_interval: 1s
              evaluation_interval: 1s
            rule_files:
              - "%s"
            scrape_configs:
              - job_name: countersign
                metrics_path: /actuator/prometheus
                static_configs:
                  - targets: ["127.0.0.1:%d"]
            """
                .replace("%s", FOLDER.resolve("alerts.yaml").toString())
                .replace("%d", String.valueOf(metrics)));
    Path log = folder.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("tsdb-" + port),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(3, TimeUnit.SECONDS)) {
      return process;
    }
    assertThat(log).content().contains("address already in use");
    return null;
  }

  private static JsonNode query(int port, String expression)
      throws IOException, InterruptedException {
    return ask(
        port, "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
  }

  private static String value(int port, String expression)
      throws IOException, InterruptedException {
    return query(port, expression).at("/data/result/0/value/1").asString("");
  }

  private static List<String> health(int port) throws IOException, InterruptedException {
    JsonNode rules = ask(port, "/api/v1/rules").at("/data/groups/0/rules");
    return StreamSupport.stream(rules.spliterator(), false)
        .map(rule -> rule.path("health").asString())
        .toList();
  }

  private static JsonNode ask(int port, String target) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
              .timeout(Waits.LIMIT)
              .build();
      return JsonMapper.shared().readTree(client.send(request, BodyHandlers.ofString()).body());
    }
  }
}
