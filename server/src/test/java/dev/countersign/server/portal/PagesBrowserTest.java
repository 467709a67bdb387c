package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.store.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each page in a real browser: the findings of axe, the messages of the console, and the width. */
@Tag("full")
@SharedService
class PagesBrowserTest {
  private static final Set<String> GRAVE = Set.of("serious", "critical");

  private static TestService service;
  private static PortalInBrowser portal;
  private static String clientId;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    // The page of the listings shows the statement for a sort without an index.
    run("DROP INDEX wallets_by_name");
    portal = PortalInBrowser.of(service, signedIn);
    TestClient client = partner("Acme Bank", "ledger-operator", "127.0.0.1", "::1");
    clientId = client.clientId();
    callSometimes(client);
    partner("Borealis Exchange", "ledger-viewer", "203.0.113.0/24", "2001:db8::/48");
    partner("Juniper Payments", "ledger-viewer", "0.0.0.0");
    service
        .part(ClientStore.class)
        .disable(partner("Old & Co.", "ledger-viewer", "192.0.2.7").clientId());
  }

  @AfterAll
  static void restoreIndex() {
    run("CREATE INDEX wallets_by_name ON wallets (name, id)");
  }

  private static void run(String statement) {
    service.part(Database.class).write(sql -> sql.sql(statement).update());
  }

  private static TestClient partner(String name, String role, String... whitelist) {
    TestClient client = service.register(role, whitelist);
    service
        .part(ClientStore.class)
        .update(client.clientId(), new ClientUpdate(name, null, null, null));
    return client;
  }

  private static void callSometimes(TestClient client) {
    for (int i = 0; i < 5; i++) {
      client.get("/ledger/v1/wallets?page=" + i).send();
    }
    client.get("/ledger/v1/wallets").withTarget("/ledger/v1/wallets?size=100").send();
    client.as("cl-000000000000000000").get("/ledger/v1/wallets").send();
  }

  static Stream<PortalInBrowser.Look> looks() {
    return PortalInBrowser.Look.all();
  }

  @ParameterizedTest
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @MethodSource("looks")
  void pages_inEachLook_areFreeOfGraveFindings(PortalInBrowser.Look look) {
    List<String> findings = new ArrayList<>();
    try (BrowserContext context = portal.context(look)) {
      for (String path : pages()) {
        Page page = context.newPage();
        page.onConsoleMessage(message -> noteConsole(path, message, findings));
        page.onPageError(error -> findings.add(path + " threw " + error));
        page.navigate(portal.url(path));
        page.waitForLoadState();
        if (path.equals("/listings")) {
          page.getByText("no index").waitFor();
        }
        for (Rule rule : Chromium.violations(page)) {
          if (GRAVE.contains(rule.getImpact())) {
            findings.add(path + " " + rule.getId() + ": " + rule.getNodes().getFirst().getHtml());
          }
        }
        int overflow =
            ((Number)
                    page.evaluate(
                        "document.documentElement.scrollWidth -"
                            + " document.documentElement.clientWidth"))
                .intValue();
        if (overflow > 0) {
          findings.add(path + " is " + overflow + " px too wide");
        }
        portal.screenshot(page, path, look);
        page.close();
      }
    }
    assertThat(findings).isEmpty();
  }

  private static List<String> pages() {
    return List.of(
        "",
        "/integrations/api-keys",
        "/integrations/api-keys/new",
        "/integrations/api-keys/client?id=" + clientId,
        "/requests",
        "/listings",
        "/nodes",
        "/audit",
        "/audit/check",
        "/operators",
        "/account/sign-out-everywhere",
        "/account");
  }

  private static void noteConsole(String path, ConsoleMessage message, List<String> findings) {
    if (Chromium.isComplaint(message)) {
      findings.add(path + " console: " + message.text());
    }
  }
}
