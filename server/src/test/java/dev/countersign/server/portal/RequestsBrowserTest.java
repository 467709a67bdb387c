package dev.countersign.server.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.portal.requests.Refused;
import dev.countersign.server.requests.RequestCounters;
import dev.countersign.server.requests.RequestRecordStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page Requests in a real browser, from a live row to the cause of a refusal. */
@Tag("full")
@SharedService
class RequestsBrowserTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String POLLS = "**/portal/requests/live*";
  private static final Pattern OPENED = Pattern.compile(".*/requests/\\d+");

  private static TestService service;
  private static PortalInBrowser portal;
  private static TestClient client;

  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void start(TestService shared, TestClient registered, PortalClient signedIn) {
    service = shared;
    client = registered;
    portal = PortalInBrowser.of(service, signedIn);
  }

  @BeforeEach
  void forget() {
    complaints.clear();
  }

  /** A violation of the Content-Security-Policy appears in the console. */
  @AfterEach
  void nothingWasComplainedOf() {
    assertThat(complaints).isEmpty();
  }

  private Page open(BrowserContext context, String path) {
    Page page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (Chromium.isComplaint(message)) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    page.navigate(portal.url(path));
    return page;
  }

  /**
   * Sends tampered requests and waits until their records are written, which happens after the
   * responses.
   */
  private static void tamperOften(int count) {
    long wanted = recorded() + count;
    for (int i = 0; i < count; i++) {
      client.get(WALLETS + "?page=0").withTarget(WALLETS + "?page=1").send();
    }
    Awaitility.await().until(() -> recorded() >= wanted);
  }

  /** The number of requests that got a record, or none because too many arrived in one second. */
  private static long recorded() {
    RequestCounters counters = service.part(RequestRecordStore.class).counters();
    return Stream.of(counters.stored(), counters.dropped())
        .flatMap(counts -> counts.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** The HTML id of the row of a new, tampered request. */
  private static String tamper() {
    return "request-" + Refused.tampered(service, client);
  }

  @Test
  void refusedCall_appearsLive_opens_andItsDifferenceIsFound() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?client=" + client.clientId() + "&path=" + WALLETS);
      page.getByLabel("Live", new Page.GetByLabelOptions().setExact(true)).check();
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      assertThat(page.url()).contains("live=on").contains("path=");
      int before = page.locator("#request-rows tr").count();

      String tampered = tamper();
      assertThat(page.locator("#request-rows tr")).hasCount(before + 1);
      Locator row = page.locator("#request-rows tr").first();
      assertThat(row).hasId(tampered);
      assertThat(row).containsText("signature_mismatch");
      assertThat(page.locator("#news")).containsText("1 new request");

      row.getByRole(AriaRole.LINK).first().click();
      page.waitForURL(OPENED);
      assertThat(page.locator("[data-state=failed]")).hasCount(1);
      assertThat(page.locator("[data-state=failed]")).containsText("The signature verifies");
      String base = page.locator("#signature-base").textContent();
      page.getByLabel("The caller's own signature base").fill(base.replace("?page=1", "?page=0"));
      page.getByText("Compare", new Page.GetByTextOptions().setExact(true)).click();

      assertThat(page.locator("#comparison mark")).hasText(new String[] {"0", "1"});
      assertThat(page.locator("#comparison")).containsText("line 2, column");
      assertThat(page.url()).doesNotContain("comparison");
    }
  }

  @Test
  void liveRows_stayAtTwoHundred_andComeOnce() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      tamperOften(230);
      assertThat(page.locator("#request-rows tr")).hasCount(200);
      Object ids =
          page.evaluate(
              "new Set([...document.querySelectorAll('#request-rows tr')].map(r => r.id)).size");
      assertThat(((Number) ids).intValue()).isEqualTo(200);
    }
  }

  @Test
  void filter_changesTheTableAndTheAddress_andGoingBackUndoesIt() {
    tamper();
    Refused.accepted(service, client);
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests");
      page.getByLabel("Outcome").selectOption("accepted");
      page.waitForURL("**/requests?outcome=accepted");
      assertThat(page.locator("#request-rows")).not().containsText("signature_mismatch");
      assertThat(page.locator("#news")).containsText("shown");

      page.goBack();
      assertThat(page.locator("#request-rows")).containsText("signature_mismatch");
      assertThat(page.locator("#filter")).isVisible();
      assertThat(page.url()).endsWith("/requests");
    }
  }

  @Test
  void sessionEndedElsewhere_liveViewSaysSo() {
    PortalClient vic = PortalClient.viewer(service);
    try (BrowserContext context =
        PortalInBrowser.of(service, vic).context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");

      service.part(SessionStore.class).endAll(vic.id(service));
      assertThat(page.locator("#live-state")).containsText("You are no longer signed in");
      assertThat(page.url()).endsWith("/requests?live=on");
    }
    // The browser itself reports the status of the last poll.
    assertThat(complaints).hasSize(1).first().asString().contains("status of 401");
    complaints.clear();
  }

  @Test
  void requestRecordedLate_takesItsPlace_andIsShownOnce() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on&path=/out-of-order");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      Locator rows = page.locator("#request-rows tr");
      Instant now = Instant.now();
      Refused.completed(service, client, now, "/out-of-order/newer");
      assertThat(rows).hasCount(1);
      Refused.completed(service, client, now.minusSeconds(2), "/out-of-order/older");
      assertThat(rows).hasCount(2);
      assertThat(rows.locator(".request-path"))
          .hasText(new String[] {"/out-of-order/newer", "/out-of-order/older"});
      assertThat(page.locator("#news")).containsText("new request");

      for (int poll = 0; poll < 2; poll++) {
        page.waitForResponse(response -> response.url().contains("/requests/live"), () -> {});
      }
      assertThat(rows).hasCount(2);
      assertThat(page.locator("#arrived tr")).hasCount(0);
    }
  }

  @Test
  void connectionLost_isShown_untilItIsBack() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      context.setOffline(true);
      assertThat(page.locator("#live-state")).containsText("The connection was lost");
      context.setOffline(false);
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
    }
    // The browser and htmx report each poll that failed.
    assertThat(complaints)
        .isNotEmpty()
        .allMatch(
            complaint ->
                complaint.contains("ERR_INTERNET_DISCONNECTED")
                    || complaint.contains("htmx:afterRequest")
                    || complaint.contains("/requests/live")
                    || complaint.contains("sendError"));
    complaints.clear();
  }

  @Test
  void serviceFails_isShown_untilItAnswers() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      answerPolls(page, 503);
      assertThat(page.locator("#live-state")).containsText("The service does not answer");
      page.unroute(POLLS);
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      answerPolls(page, 404);
      assertThat(page.locator("#live-state")).containsText("Reload the page to start it again");
    }
    assertThat(complaints).isNotEmpty().allMatch(complaint -> complaint.contains("status of"));
    complaints.clear();
  }

  private static void answerPolls(Page page, int status) {
    page.route(POLLS, route -> route.fulfill(new Route.FulfillOptions().setStatus(status)));
  }

  @Test
  void pageThatWasAway_getsWhatItMissed_andStays() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on&path=/missed");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      page.evaluate("window.isOld = true");
      Refused.completed(service, client, Instant.now().minusSeconds(300), "/missed");
      page.evaluate("(now => { Date.now = () => now() + 600000; })(Date.now)");
      assertThat(page.locator("#request-rows tr")).hasCount(1);
      assertThat(page.evaluate("window.isOld")).isEqualTo(true);
    }
  }

  /** A table that the browser restores has the rows of another time than the table before. */
  @Test
  void tableThatIsRestored_getsWhatItMissed() {
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?live=on&path=/restored");
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      page.getByLabel("Outcome").selectOption("accepted");
      page.waitForURL("**outcome=accepted**");
      page.evaluate("(now => { Date.now = () => now() + 600000; })(Date.now)");
      page.waitForResponse(response -> response.url().contains("/requests/live"), () -> {});
      page.waitForResponse(response -> response.url().contains("/requests/live"), () -> {});

      Refused.completed(service, client, Instant.now().minusSeconds(300), "/restored");
      page.goBack();
      assertThat(page.locator("#request-rows tr")).hasCount(1);
    }
  }

  @Test
  void comparison_tooLarge_isSaid() {
    tamper();
    try (BrowserContext context = portal.context(PortalInBrowser.Look.large())) {
      Page page = open(context, "/requests?reason=signature_mismatch");
      page.locator("#request-rows a").first().click();
      page.waitForURL(OPENED);
      page.getByLabel("The caller's own signature base").fill("x".repeat(70_000));
      page.getByText("Compare", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(page.locator("#comparison")).containsText("more than 64 KiB");
    }
  }

  @Test
  void page_withoutScripts_filtersAndCompares() {
    tamper();
    try (BrowserContext context = portal.contextWithoutScripts()) {
      Page page = open(context, "/requests");
      page.getByLabel("Reason").selectOption("signature_mismatch");
      page.getByText("Search", new Page.GetByTextOptions().setExact(true)).press("Enter");
      page.waitForURL("**reason=signature_mismatch**");
      page.locator("#request-rows a").first().press("Enter");
      String base = page.locator("#signature-base").textContent();
      page.getByLabel("The caller's own signature base").fill(base);
      page.getByText("Compare", new Page.GetByTextOptions().setExact(true)).press("Enter");
      assertThat(page.locator("#comparison")).containsText("The two texts are equal");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.countersign.server.portal.PortalInBrowser$Look#all")
  void pages_inEachLook_areFreeOfGraveFindings(PortalInBrowser.Look look) {
    String tampered = tamper();
    List<String> findings = new ArrayList<>();
    try (BrowserContext context = portal.context(look)) {
      Page page = open(context, "/requests?live=on&client=" + client.clientId());
      assertThat(page.locator("#live-state")).containsText("Live: new requests appear");
      portal.screenshot(page, "/requests", look);
      check(page, findings);
      page.locator("#" + tampered + " a").first().click();
      page.waitForURL("**/requests/" + tampered.replace("request-", ""));
      assertThat(page.locator("#signature-base")).isVisible();
      String base = page.locator("#signature-base").textContent();
      page.getByLabel("The caller's own signature base").fill(base.replace("?page=1", "?page=0"));
      page.getByText("Compare", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(page.locator("#comparison mark")).hasCount(2);
      page.locator("#likely-cause").scrollIntoViewIfNeeded();
      portal.screenshot(page, "/request", look);
      check(page, findings);
    }
    assertThat(findings).isEmpty();
  }

  private static void check(Page page, List<String> findings) {
    for (Rule rule : Chromium.violations(page)) {
      if (Set.of("serious", "critical").contains(rule.getImpact())) {
        findings.add(rule.getId() + ": " + rule.getNodes().getFirst().getHtml());
      }
    }
    Object overflow =
        page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if (((Number) overflow).intValue() > 0) {
      findings.add("too wide by " + overflow + " px");
    }
  }
}
