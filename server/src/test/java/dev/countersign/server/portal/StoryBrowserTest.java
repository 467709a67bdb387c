package dev.countersign.server.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The complete story of an operator and a partner, in one browser. */
class StoryBrowserTest {
  private static final String LIST = "/ledger/v1/wallets";

  @TempDir Path data;
  private TestService service;
  private Page page;

  @Test
  void fromTheFirstStart_toTheSignOut() throws Exception {
    try (TestService started = TestService.start(data, 25)) {
      service = started;
      PortalInBrowser portal = PortalInBrowser.setUp(service, "alice");
      try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
        page = context.newPage();
        TestClient client = addAClient();
        assertThat(client.get(LIST).send().status()).isEqualTo(200);
        findTheDifferenceOfATamperedCall(client, portal);
        moveTheWhitelistAway(client);
        TestClient successor = rotate(client);
        disable(successor);
        readTheAudit(client.clientId());
        signOut();
      }
    }
  }

  private TestClient addAClient() throws IOException {
    visit("/integrations/api-keys");
    page.getByRole(AriaRole.LINK, named("+ Client")).click();
    page.getByLabel("Name", exactLabel()).fill("Acme Bank");
    page.getByLabel("Network whitelist").fill("127.0.0.1\n::1");
    assertThat(page.locator("#whitelist-check")).containsText("2 entries");
    page.getByLabel("ledger-viewer").check();
    button("Generate a key pair in this browser").click();
    assertThat(page.locator("#key-check")).containsText("3072 bits");
    Download download =
        page.waitForDownload(() -> page.getByText("Save the private key", exactText()).click());
    assertThat(page.locator("main")).containsText("is saved by your browser");
    String pem = Files.readString(download.path());
    button("Add").click();
    assertThat(page.locator("main")).containsText("The client is added.");
    String clientId = page.locator("#client-id").textContent();
    PrivateKey key = RsaPrivateKeys.read(pem, CryptoProvider.jdk());
    return service.client(clientId, key);
  }

  private void findTheDifferenceOfATamperedCall(TestClient client, PortalInBrowser portal) {
    RawResponse refused = client.get(LIST + "?size=5").withTarget(LIST + "?size=100").send();
    assertThat(refused.reason()).isEqualTo("signature_mismatch");

    visit("/requests?outcome=refused");
    page.waitForCondition(
        () -> {
          page.reload();
          return page.locator("#request-rows").textContent().contains("signature_mismatch");
        });
    page.locator("main table a[href*='/requests/']").first().click();
    page.waitForURL(Pattern.compile(".*/requests/\\d+"));
    assertThat(page.locator("main")).containsText("Checks, in order");
    portal.screenshot(page, "/requests-refused", PortalInBrowser.Look.large());

    String base = page.locator("#signature-base").textContent();
    page.getByLabel("The caller's own signature base").fill(base.replace("size=100", "size=5"));
    button("Compare").click();
    // If it fails, the message has the text of the page, with the reason.
    assertThat(page.locator("main")).containsText("First difference");
    Locator marks = page.locator("mark");
    assertThat(marks.allTextContents().toString()).contains("100");
  }

  private void moveTheWhitelistAway(TestClient client) {
    setWhitelist(client, "203.0.113.7");
    becomes(client, 403);
    setWhitelist(client, "127.0.0.1\n::1");
    becomes(client, 200);
  }

  private void setWhitelist(TestClient client, String entries) {
    openClient(client);
    page.getByLabel("Network whitelist").fill(entries);
    button("Update").click();
    assertThat(page.locator("main")).containsText("Updated. The changes are in effect.");
  }

  private TestClient rotate(TestClient client) throws Exception {
    KeyPair next = newKeyPair();
    TestClient successor = service.client(client.clientId(), next.getPrivate());
    openClient(client);
    page.locator("summary").filter(containing("key")).first().click();
    page.locator("#publicKey").fill(pem(next));
    page.locator("#end").selectOption(new SelectOption().setIndex(2));
    button("Add the key").click();
    assertThat(page.locator("main")).containsText("The key is added.");
    becomes(successor, 200);
    assertThat(client.get(LIST).send().status()).as("both verify").isEqualTo(200);

    page.locator("a[href*='keys/end']").first().click();
    page.waitForURL(Pattern.compile(".*/keys/end.*"));
    assertThat(page.locator("#end")).hasValue("7d");
    page.locator("#end").selectOption("now");
    page.locator("main form button[type=submit]").first().click();
    assertThat(page.locator("main")).containsText("The expiry of the key is set.");
    becomes(client, 401);
    assertThat(successor.get(LIST).send().status()).isEqualTo(200);
    return successor;
  }

  private void disable(TestClient client) {
    openClient(client);
    page.getByRole(AriaRole.LINK, named("Disable…")).click();
    assertThat(page.locator("main")).containsText("All requests of the client are refused");
    button("Disable").click();
    assertThat(page.locator("main")).containsText("Disabled. The client's requests are refused");
    becomes(client, 401);
    assertThat(client.get(LIST).send().reason()).isEqualTo("client_disabled");
  }

  private void readTheAudit(String clientId) {
    visit("/audit?subject=client:" + clientId);
    for (String action :
        new String[] {
          "client.added",
          "client.updated",
          "client.key-added",
          "client.key-end-set",
          "client.disabled"
        }) {
      assertThat(page.locator("main")).containsText(action);
    }
    assertThat(page.locator("tbody tr").first()).containsText("alice");
    visit("/audit/check");
    assertThat(page.locator("main")).containsText("the audit trail is intact");
  }

  private void signOut() {
    button("Sign out").click();
    assertThat(page.locator("main")).containsText("You have signed out.");
    page.navigate(service.portalUrl() + "/integrations/api-keys");
    assertThat(page.url()).contains("/sign-in");
  }

  /** A change takes effect within a second; a busy machine gets more time. */
  private static void becomes(TestClient client, int status) {
    Awaitility.await().until(() -> client.get(LIST).send().status(), last -> last == status);
  }

  private void openClient(TestClient client) {
    visit("/integrations/api-keys/client?id=" + client.clientId());
  }

  private void visit(String path) {
    page.navigate(service.portalUrl() + path);
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Page.GetByLabelOptions exactLabel() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  private static Page.GetByTextOptions exactText() {
    return new Page.GetByTextOptions().setExact(true);
  }

  private static Locator.FilterOptions containing(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static KeyPair newKeyPair() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static String pem(KeyPair keys) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }
}
