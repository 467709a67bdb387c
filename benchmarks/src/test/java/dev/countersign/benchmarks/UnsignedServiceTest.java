package dev.countersign.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts both services as the script does, each in its own process. */
@Tag("full")
class UnsignedServiceTest {
  private static final Pattern READY = Pattern.compile("(?m)^Countersign serves (http\\S+)\\R");

  @TempDir private Path folder;
  private Process process;

  @AfterEach
  void stop() throws InterruptedException {
    if (process != null) {
      process.destroy();
      Waits.forExit(process);
    }
  }

  private String start(Class<?> main) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "serve",
                "--demo",
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.command().addAll(1, TestLocale.options());
    process = builder.start();
    Awaitility.await()
        .atMost(Waits.LIMIT.multipliedBy(4))
        .until(() -> READY.matcher(Files.readString(out)).find() || !process.isAlive());
    Matcher ready = READY.matcher(Files.readString(out));
    assertThat(ready.find()).as(Files.readString(out)).isTrue();
    return ready.group(1);
  }

  private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void unsignedService_withoutSignature_answersAFullPageWithItsLinks() throws Exception {
    String list = start(UnsignedService.class) + "/ledger/v1/wallets?page=3&size=20";
    HttpResponse<String> response = get(list);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).contains("\"numberOfElements\":20", "\"totalElements\":250");
    assertThat(response.headers().firstValue("Link").orElseThrow())
        .contains(list.replace("page=3", "page=4"));
  }

  /** The benchmarks' jar on the class path must not disable anything. */
  @Test
  void product_withTheBenchmarksBesideIt_stillRefuses() throws Exception {
    String url = start(dev.countersign.server.app.Application.class);
    HttpResponse<String> response = get(url + "/ledger/v1/wallets?page=3&size=20");
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.body()).contains("signature_missing");
  }
}
