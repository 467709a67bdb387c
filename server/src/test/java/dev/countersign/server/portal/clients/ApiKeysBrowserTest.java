package dev.countersign.server.portal.clients;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestRequest;
import dev.countersign.server.TestService;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.portal.Chromium;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.testing.KeyTexts;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Integrations, API Keys, in a real browser. */
@Tag("full")
@SharedService
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiKeysBrowserTest {
  private Chromium chromium;
  private TestService service;
  private PortalClient alice;
  private BrowserContext context;
  private Page page;
  private final List<String> sent = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  void startBrowser(TestService shared, PortalClient signedIn) {
    chromium = Chromium.shared();
    service = shared;
    alice = signedIn;
  }

  @BeforeEach
  void open() {
    clients().list().forEach(client -> clients().remove(client.clientId()));
    sent.clear();
    complaints.clear();
    context = chromium.newContext();
    page = signedIn(context);
  }

  @AfterEach
  void close() {
    context.close();
    assertThat(complaints).as("errors and warnings of the browser").isEmpty();
  }

  @Test
  void add_withAKeyMadeInTheBrowser_savesThePrivateHalfAndSendsThePublicOne() throws Exception {
    visit("/new");
    page.getByLabel("Name", exact()).fill("Acme Bank");
    page.getByLabel("Network whitelist").fill("127.0.0.1\n::1\n0.0.0.0");
    assertThat(page.locator("#whitelist-check")).containsText("is open to everyone");
    page.getByLabel("Network whitelist").fill("127.0.0.1\n::1");
    assertThat(page.locator("#whitelist-check")).containsText("2 entries, all well-formed");
    page.getByLabel("ledger-viewer").check();
    assertThat(page.locator("fieldset", containing("Assigned roles")))
        .containsText("ledger:wallets:read");
    button("Generate a key pair in this browser").click();
    assertThat(page.locator("#key-check")).containsText("3072 bits");

    // The form cannot be sent before the private key is saved.
    button("Add").click();
    assertThat(page.locator("[data-key-pair-status]")).containsText("Save the private key first");
    Download download =
        page.waitForDownload(() -> page.getByText("Save the private key", exactText()).click());
    assertThat(download.suggestedFilename()).isEqualTo("Acme-Bank.private.pem");
    String pem = Files.readString(download.path());
    assertThat(page.locator("[data-key-pair-status]")).containsText("is saved by your browser");
    button("Add").click();

    assertThat(page.locator("main")).containsText("The client is added.");
    Client client = clients().list().getFirst();
    var key = RsaPrivateKeys.read(pem, CryptoProvider.jdk());
    assertThat(client.keys().getFirst().fingerprint())
        .isEqualTo(KeyFingerprint.of(RsaPublicKeys.of(key, CryptoProvider.jdk())).value());
    String middle = pem.lines().skip(5).findFirst().orElseThrow();
    assertThat(String.join("\n", sent)).contains("Acme+Bank").doesNotContain(middle);
    assertThat(page.locator("#client-id")).hasText(client.clientId());
    assertThat(page.locator("#call-shell")).containsText(client.clientId());
    assertThat(page.locator("#call-shell"))
        .containsText("PRIVATE_KEY:-" + download.suggestedFilename() + "}");
  }

  @Test
  void keyCheck_nextText_removesTheFingerprintAtOnceAlsoOffline() {
    visit("/new");
    page.locator("#publicKey").fill(ApiKeysPages.pem(RsaKeyPairs.keyPair(0)));
    assertThat(page.locator("#key-check")).containsText("fingerprint");

    String left =
        (String)
            page.evaluate(
                """
                () => {
                  const field = document.getElementById("publicKey");
                  field.value += " ";
                  field.dispatchEvent(new Event("input", { bubbles: true }));
                  return document.getElementById("key-check").textContent;
                }
                """);
    assertThat(left).isBlank();
    assertThat(page.locator("#key-check")).containsText("fingerprint");

    context.setOffline(true);
    page.locator("#publicKey").fill(ApiKeysPages.pem(RsaKeyPairs.keyPair(1)));
    assertThat(page.locator("#key-check")).containsText("This was not checked");
    assertThat(page.locator("#key-check")).not().containsText("fingerprint");
    context.setOffline(false);
    page.locator("#publicKey").fill("nonsense");
    assertThat(page.locator("#key-check .text-danger")).isVisible();
    complaints.clear();
  }

  /** If the page moved between the press and the release of a click, the click would be lost. */
  @ParameterizedTest
  @ValueSource(ints = {1440, 390})
  void checks_resultsAppear_moveNothing(int width) {
    page.setViewportSize(width, 900);
    visit("/new");
    double roles = top("#roles");
    double proof = top("[data-proof]");
    page.getByLabel("Network whitelist").fill("127.0.0.1");
    assertThat(page.locator("#whitelist-check")).containsText("1 entry");
    page.locator("#publicKey").fill(ApiKeysPages.pem(RsaKeyPairs.keyPair(0)));
    assertThat(page.locator("#key-check")).containsText("fingerprint");
    assertThat(top("#roles")).isCloseTo(roles, within(1.0));
    assertThat(top("[data-proof]")).isCloseTo(proof, within(1.0));
  }

  /** The place of an element in the whole document, in pixels. */
  private double top(String selector) {
    String place = "element => element.getBoundingClientRect().top + window.scrollY";
    return ((Number) page.locator(selector).evaluate(place)).doubleValue();
  }

  @Test
  void copyButton_putsTheClientIdOnTheClipboard() {
    Client client = existing("Acme", 0);
    context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
    visit("");
    // The button shows this for only a moment; the test disables the timer.
    page.evaluate("() => { window.setTimeout = () => 0; }");
    page.getByLabel("Copy the clientId of Acme").click();
    assertThat(page.locator("main")).containsText("Copied");
    assertThat(page.evaluate("() => navigator.clipboard.readText()")).isEqualTo(client.clientId());
  }

  @Test
  void privateKey_pastedDroppedOrChosen_isClearedBeforeAnythingIsSent() {
    String pem = ApiKeysPages.privatePem(RsaKeyPairs.keyPair(2));
    byte[] der = RsaKeyPairs.keyPair(2).getPrivate().getEncoded();
    String base64 = Base64.getEncoder().encodeToString(der);
    visit("/new");
    for (String text :
        List.of(pem, base64, pem.replace("PRIVATE KEY", "PUBLIC KEY"), pem.substring(0, 300))) {
      page.locator("#publicKey").fill(text);
      assertRefused("publicKey");
    }
    page.locator("#key-file").setInputFiles(file("key.der", der));
    assertRefused("publicKey");
    page.locator("#key-file").setInputFiles(file("key.pem", pem.getBytes(StandardCharsets.UTF_8)));
    assertRefused("publicKey");
    drop(pem);
    assertRefused("publicKey");
    page.locator("#whitelist").fill(pem);
    assertRefused("whitelist");
    page.locator("#name").fill(base64);
    assertRefused("name");
    page.waitForTimeout(500);
    assertThat(sent).noneMatch(body -> body.contains(base64.substring(70, 110)));

    page.locator("#key-file")
        .setInputFiles(file("key.der", RsaKeyPairs.keyPair(2).getPublic().getEncoded()));
    assertThat(page.locator("#key-check")).containsText("2048 bits");
    assertThat(page.locator("#publicKey-private")).hasCount(0);
    drop(ApiKeysPages.pem(RsaKeyPairs.keyPair(1)));
    assertThat(page.locator("#key-check"))
        .containsText(KeyFingerprint.of(RsaKeyPairs.publicKey(1)).value());
  }

  @Test
  void privateKey_inEveryText_isDecidedAsByTheService() {
    visit("/new");
    for (String text : KeyTexts.withPrivateKey()) {
      assertThat(isCleared(text)).as(text).isTrue();
    }
    for (String text : KeyTexts.withoutPrivateKey()) {
      assertThat(!text.isEmpty() && isCleared(text)).as(text).isFalse();
    }
  }

  private boolean isCleared(String text) {
    return (boolean)
        page.evaluate(
            """
            text => {
              const field = document.getElementById("whitelist");
              field.value = text;
              field.dispatchEvent(new Event("input"));
              return field.value === "";
            }""",
            text);
  }

  @Test
  void proofOfPossession_isShownAndWritten() throws Exception {
    visit("/new");
    page.locator("#name").fill("Acme");
    page.locator("#whitelist").fill("10.0.0.1");
    page.getByLabel("ledger-viewer").check();
    page.locator("#publicKey").fill(ApiKeysPages.pem(RsaKeyPairs.keyPair(0)));
    button("Create a challenge").click();
    String command = page.locator("#challenge-command").textContent();
    // Until then the inserted elements have no listeners.
    assertThat(page.locator(".htmx-added, .htmx-settling")).hasCount(0);
    page.getByLabel("Signature output")
        .fill(TestRequest.signature(command.split("'")[1], RsaKeyPairs.keyPair(0).getPrivate()));
    assertThat(page.locator("#proof-check")).hasText("Possession proven");
    button("Add").click();
    assertThat(page.locator("main")).containsText("The client is added.");
    assertThat(
            service
                .part(AuditTrail.class)
                .page(AuditFilter.all(), 0, 1)
                .entries()
                .getFirst()
                .after())
        .contains("\"possession\":\"proven\"");
  }

  @Test
  void search_asYouType_needsNoButton() {
    existing("Acme", 0);
    existing("Zeta Bank", 1);
    visit("");
    assertThat(page.locator("#found")).hasText("2 clients");
    // No clientId or fingerprint, which are searched too, holds a space.
    page.getByLabel("Search").pressSequentially("zeta b");
    assertThat(page.locator("#found")).hasText("1 client");
    assertThat(page.locator("#results")).not().containsText("Acme");
    assertThat(page).hasURL(Pattern.compile("[?&]q=zeta(%20|\\+)b"));
    page.getByLabel("Search").fill("");
    assertThat(page.locator("#found")).hasText("2 clients");
    // A late response to the search must not replace the link while it is clicked.
    visit("");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Key age")).click();
    assertThat(page.locator("th[aria-sort=ascending]")).containsText("Key age");
  }

  @Test
  void withoutScripts_everythingThatCanStillWorks() {
    context.close();
    context = chromium.newContext(new Browser.NewContextOptions().setJavaScriptEnabled(false));
    page = signedIn(context);
    visit("/new");
    page.locator("#name").fill("Acme");
    page.locator("#whitelist").fill("10.0.0.1");
    page.getByLabel("ledger-viewer").check();
    page.locator("#publicKey").fill(ApiKeysPages.privatePem(RsaKeyPairs.keyPair(0)));
    button("Add").click();
    assertThat(page.locator("#publicKey-problem")).containsText("discard that key pair");
    assertThat(page.locator("#publicKey")).isFocused();
    assertThat(page.locator("#publicKey")).hasValue("");
    page.locator("#publicKey").fill(ApiKeysPages.pem(RsaKeyPairs.keyPair(0)));
    button("Add").click();
    assertThat(page.locator("main")).containsText("The client is added.");
    visit("");
    page.getByLabel("Search").fill("acm");
    button("Search").click();
    assertThat(page.locator("#found")).hasText("1 client");
  }

  @Test
  void byKeyboardAlone_aClientIsAddedRotatedAndRemoved() {
    visit("/new");
    page.locator("#name").focus();
    page.keyboard().type("Acme");
    page.keyboard().press("Tab");
    page.keyboard().type("10.0.0.1");
    tabTo("input[name=roles]");
    page.keyboard().press("Space");
    tabTo("#publicKey");
    page.keyboard().insertText(ApiKeysPages.pem(RsaKeyPairs.keyPair(0)));
    tabTo("main form button[type=submit]");
    page.keyboard().press("Enter");
    assertThat(page.locator("main")).containsText("The client is added.");
    tabTo("summary");
    page.keyboard().press("Enter");
    tabTo("#publicKey");
    page.keyboard().insertText(ApiKeysPages.pem(RsaKeyPairs.keyPair(1)));
    tabTo("#end");
    page.keyboard().type("In 7");
    tabTo("form[action$=keys] button[type=submit]");
    page.keyboard().press("Enter");
    assertThat(page.locator("main")).containsText("The key is added.");
    assertThat(clients().list().getFirst().liveKeys(Instant.now()).size()).isEqualTo(2);
    tabTo("a[href*=removal]");
    page.keyboard().press("Enter");
    page.waitForURL(Pattern.compile(".*/removal.*"));
    tabTo("#typed");
    page.keyboard().type("Acme");
    page.keyboard().press("Enter");
    assertThat(page.locator("main")).containsText("The client is removed.");
  }

  @Test
  void pages_atBothWidthsAndThemes_haveNoFindings() {
    Client client = existing("A client with quite a long name, GmbH & Co. KG", 0);
    clients().addKey(client.clientId(), RsaKeyPairs.publicKey(1), null);
    clients()
        .update(
            client.clientId(),
            new ClientUpdate(null, List.of("0.0.0.0", "2001:db8::/48"), null, null));
    String one = ApiKeysPages.of("/client", client.clientId());
    String fingerprint =
        URLEncoder.encode(client.keys().getFirst().fingerprint(), StandardCharsets.UTF_8);
    List<String> paths =
        List.of(
            "",
            "?q=nobody",
            "/new",
            one,
            one + "&done=added",
            one.replace("/client", "/client/removal"),
            one.replace("/client", "/client/keys/end") + "&fingerprint=" + fingerprint);
    List<String> findings = new ArrayList<>();
    // Colours do not depend on the width, and the layout does not depend on colours.
    look(390, ColorScheme.LIGHT, paths, findings);
    look(1440, ColorScheme.DARK, paths, findings);
    assertThat(findings).isEmpty();
  }

  private void look(int width, ColorScheme scheme, List<String> paths, List<String> findings) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
    page.setViewportSize(width, 900);
    String how = " at " + width + " " + scheme;
    for (String path : paths) {
      visit(path);
      findings.addAll(findings(path + how));
    }
    visit("/new");
    page.locator("form[data-key-form]").evaluate("form => form.noValidate = true");
    button("Add").click();
    assertThat(page.locator("main")).containsText("Nothing was added.");
    findings.addAll(findings("refused form" + how));
  }

  /** The findings of axe-core, and whether the page is wider than the window. */
  private List<String> findings(String where) {
    List<String> findings = new ArrayList<>();
    for (Rule rule : Chromium.violations(page)) {
      findings.add(where + ": " + described(rule));
    }
    if ((boolean) page.evaluate("document.documentElement.scrollWidth > window.innerWidth")) {
      findings.add(where + " is wider than the window");
    }
    return findings;
  }

  private static String described(Rule rule) {
    return rule.getId()
        + " ("
        + rule.getImpact()
        + "): "
        + rule.getNodes().getFirst().getHtml()
        + " "
        + rule.getNodes().getFirst().getFailureSummary();
  }

  private void assertRefused(String field) {
    assertThat(page.locator("#" + field)).hasValue("");
    assertThat(page.locator("#" + field + "-private")).containsText("discard that key pair");
    page.locator("#" + field + "-private").evaluate("note => note.remove()");
  }

  private void drop(String text) {
    page.locator("#publicKey")
        .evaluate(
            "(field, text) => { const moved = new DataTransfer();"
                + " moved.items.add(new File([text], 'key.pem'));"
                + " field.dispatchEvent(new DragEvent('drop',"
                + " {dataTransfer: moved, bubbles: true, cancelable: true})); }",
            text);
  }

  private void tabTo(String selector) {
    for (int i = 0; i < 80; i++) {
      page.keyboard().press("Tab");
      if ((boolean) page.evaluate("s => document.activeElement.matches(s)", selector)) {
        return;
      }
    }
    throw new AssertionError("the keyboard does not reach " + selector);
  }

  private Page signedIn(BrowserContext browser) {
    Page opened = browser.newPage();
    opened.onRequest(this::note);
    opened.onConsoleMessage(
        message -> {
          if (message.type().equals("error")
              && Chromium.isComplaint(message)
              && !message.text().contains("status of 4")) {
            complaints.add(message.text());
          }
        });
    opened.onPageError(complaints::add);
    opened.onDialog(dialog -> complaints.add("a dialog: " + dialog.message()));
    Chromium.addSessionCookie(
        browser, service.portalUrl(), alice.cookies().get(PortalClient.SESSION));
    return opened;
  }

  private void note(Request request) {
    if (request.postData() != null) {
      sent.add(request.postData());
    }
  }

  private Client existing(String name, int key) {
    return new ApiKeysPages(service, alice).existing(null, name, RsaKeyPairs.keyPair(key));
  }

  private ClientStore clients() {
    return service.part(ClientStore.class);
  }

  private void visit(String path) {
    page.navigate(portal(path));
  }

  private String portal(String path) {
    return URI.create(service.portalUrl() + ApiKeysPages.LIST + path).toString();
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Page.GetByLabelOptions exact() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  private static Page.GetByTextOptions exactText() {
    return new Page.GetByTextOptions().setExact(true);
  }

  private static Page.LocatorOptions containing(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }

  private static FilePayload file(String name, byte[] bytes) {
    return new FilePayload(name, "application/octet-stream", bytes);
  }
}
