package dev.countersign.server.portal.clients;

import static dev.countersign.server.portal.clients.ApiKeysPages.CLIENT;
import static dev.countersign.server.portal.clients.ApiKeysPages.form;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.util.HtmlUtils;

/** Changes in the portal apply to the API, and its example calls run unchanged. */
@SharedService(wallets = 3)
class FirstCallsTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path folder;
  private TestService service;
  private ApiKeysPages pages;

  @BeforeEach
  void removeAllClients(TestService shared, PortalClient signedIn) {
    service = shared;
    pages = new ApiKeysPages(service, signedIn);
    pages.clients().list().forEach(client -> pages.clients().remove(client.clientId()));
  }

  @Test
  void firstCalls_copiedFromThePage_listTheWallets() throws Exception {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String page = pages.show(id).expect(200).body();
    Files.writeString(
        folder.resolve("Acme.private.pem"), ApiKeysPages.privatePem(RsaKeyPairs.keyPair(0)));
    Files.writeString(folder.resolve("first-call.sh"), shown(page, "call-shell"));
    Files.writeString(folder.resolve("FirstCall.java"), shown(page, "call-java"));

    assertThat(run("sh", "first-call.sh")).contains("\"totalElements\":3");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(TestLocale.options());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "FirstCall.java"));
    assertThat(run(command.toArray(String[]::new))).contains("\"totalElements\":3");
  }

  @Test
  void firstCalls_nameOfTheFile_isThatOfTheKeyThatThePortalSaves() {
    assertThat(callsOf(" Beta GmbH & Söhne: ")).contains("Beta-GmbH-S-hne.private.pem");
    assertThat(callsOf("-…-")).contains("{PRIVATE_KEY:-client.private.pem}");
    assertThat(callsOf("$(id) 'x' \"")).contains("{PRIVATE_KEY:-id-x.private.pem}");
    assertThat(callsOf("a".repeat(80))).contains(":-" + "a".repeat(60) + ".private.pem}");
  }

  private String callsOf(String name) {
    pages.clients().list().forEach(client -> pages.clients().remove(client.clientId()));
    String id = pages.existing(null, name, RsaKeyPairs.keyPair(0)).clientId();
    return shown(pages.show(id).expect(200).body(), "call-shell");
  }

  @Test
  void firstCall_withoutTheKeyOrWithAnother_stopsWithOneLine() throws Exception {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String page = pages.show(id).expect(200).body();
    Files.writeString(folder.resolve("first-call.sh"), shown(page, "call-shell"));

    assertThat(refused("sh", "first-call.sh"))
        .isEqualTo(
            "the private key Acme.private.pem cannot be read: set PRIVATE_KEY to its file\n");
    Files.writeString(folder.resolve("Acme.private.pem"), "no key");
    assertThat(refused("sh", "first-call.sh"))
        .isEqualTo("openssl cannot sign with Acme.private.pem: is it an RSA private key in PEM?\n");
  }

  private String refused(String... command) throws Exception {
    Process process = start(command);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Waits.forExit(process)).isEqualTo(1);
    return out;
  }

  @Test
  void firstCalls_idWithShellCharacters_areQuoted() throws Exception {
    pages.existing("$HOME;$(id)|&*", "Acme", RsaKeyPairs.keyPair(0));
    String page = pages.show("$HOME;$(id)|&*").expect(200).body();
    Files.writeString(
        folder.resolve("Acme.private.pem"), ApiKeysPages.privatePem(RsaKeyPairs.keyPair(0)));
    Files.writeString(folder.resolve("first-call.sh"), shown(page, "call-shell"));

    assertThat(run("sh", "first-call.sh")).contains("\"totalElements\":3");
  }

  @Test
  void changes_takeEffectSoon() {
    KeyPair keys = TestService.newKeyPair();
    String id = pages.add(form("Acme", keys));
    TestClient client = service.client(id, keys.getPrivate());
    assertSoon(client, "200");

    update(id, "192.0.2.1");
    assertSoon(client, "403 address_not_allowed");
    update(id, "0.0.0.0");
    assertSoon(client, "200");
    pages.post(CLIENT + "/disable", id).expect(302);
    assertSoon(client, "401 client_disabled");
    pages.post(CLIENT + "/enable", id).expect(302);
    assertSoon(client, "200");
    pages
        .post(
            CLIENT + "/keys",
            id,
            "publicKey",
            ApiKeysPages.pem(RsaKeyPairs.keyPair(1)),
            "end",
            "now")
        .expect(302);
    assertSoon(client, "401 signature_mismatch");
  }

  private void update(String id, String whitelist) {
    pages
        .post(
            CLIENT + "/update",
            id,
            "name",
            "Acme",
            "whitelist",
            whitelist,
            "roles",
            "ledger-viewer",
            "revision",
            String.valueOf(pages.client(id).revision()))
        .expect(302);
  }

  /** Within a second; a busy machine gets more time. */
  private static void assertSoon(TestClient client, String expected) {
    Awaitility.await().until(() -> call(client), expected::equals);
  }

  private static String call(TestClient client) {
    RawResponse response = client.get(WALLETS).send();
    return response.status() + (response.status() < 400 ? "" : " " + response.reason());
  }

  private static String shown(String page, String id) {
    Matcher code = Pattern.compile("(?s)<code id=\"" + id + "\">(.*?)</code>").matcher(page);
    assertThat(code.find()).isTrue();
    return HtmlUtils.htmlUnescape(code.group(1));
  }

  private String run(String... command) throws Exception {
    Process process = start(command);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Waits.forExit(process)).as(out).isZero();
    return out;
  }

  private Process start(String... command) throws IOException {
    return new ProcessBuilder(new ArrayList<>(List.of(command)))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .start();
  }
}
