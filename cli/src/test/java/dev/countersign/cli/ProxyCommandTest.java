package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.RawRequest;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy as its own process; SigningProxyTest covers which requests it accepts and refuses. */
@SharedRotatingService
class ProxyCommandTest {
  private static final Pattern READY = Pattern.compile("http://localhost:([0-9]+) signs for .*");

  @TempDir private Path home;

  @Test
  void process_signsUntilItIsEnded(TestService service, TestClient client) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Countersign.class.getName(),
            "proxy",
            "--port",
            "0",
            "--target",
            service.url(),
            "--client-id",
            client.clientId(),
            "--key",
            TestShell.keyFile(home, client.privateKey()).toString());
    builder.command().addAll(1, TestLocale.options());
    Process proxy = builder.start();
    try (BufferedReader log = proxy.errorReader(UTF_8)) {
      Matcher ready = READY.matcher(log.readLine());
      while (!ready.matches()) {
        // Java may print a warning first; the end of its output fails the test here.
        ready = READY.matcher(log.readLine());
      }
      int port = Integer.parseInt(ready.group(1));
      String request = "GET /ledger/v1/wallets HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n";
      assertThat(RawRequest.send(port, request).status()).isEqualTo(200);
      assertThat(log.readLine()).startsWith("GET /ledger/v1/wallets 200 ");
      proxy.destroy();
      Waits.forExit(proxy);
    } finally {
      proxy.destroyForcibly();
    }
  }

  @Test
  void options_thatCannotBe_areMistyped() throws IOException {
    TestShell shell =
        new TestShell(home)
            .with("COUNTERSIGN_CLIENT_ID", "test")
            .with("COUNTERSIGN_KEY", TestShell.keyFile(home).toString());
    assertThat(shell.run("proxy").err()).contains("--base-url");
    assertThat(shell.run("proxy", "--target", "ftp://x").code()).isEqualTo(2);
    assertThat(shell.run("proxy", "--target", "http://x/?a").code()).isEqualTo(2);
    Run port = shell.run("proxy", "--target", "http://localhost:1", "--port", "65536");
    assertThat(port.code()).isEqualTo(2);
    assertThat(port.err()).contains("0 to 65535, was 65536");
  }

  @Test
  void key_thatCannotBeUsed_isToldAtTheStart() {
    Run run =
        new TestShell(home)
            .with("COUNTERSIGN_CLIENT_ID", "test")
            .with("COUNTERSIGN_KEY", home.resolve("none.key").toString())
            .run("proxy", "--target", "http://localhost:1", "--port", "0");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ");
  }
}
