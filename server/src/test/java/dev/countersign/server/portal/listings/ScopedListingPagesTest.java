package dev.countersign.server.portal.listings;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.portal.Chromium;
import dev.countersign.server.portal.PortalClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scopes and filters on the page of the listings. */
@SharedService({
  "countersign.attributes.customerId.type=text",
  "countersign.attributes.customerId.many=true",
  "countersign.attributes.currency.type=text",
  "countersign.roles.invoice-reader=billing:invoices:read",
  "countersign.roles.invoice-writer=billing:invoices:read,billing:invoices:create",
  "countersign.roles.ledger-viewer=ledger:wallets:read",
  "countersign.listings[0].path=/billing/v1/invoices",
  "countersign.listings[0].table=wallets",
  "countersign.listings[0].key=id",
  "countersign.listings[0].create=true",
  "countersign.listings[0].totals.cache=30s",
  "countersign.listings[0].fields.id.type=uuid",
  "countersign.listings[0].fields.id.generated=true",
  "countersign.listings[0].fields.customerId.type=text",
  "countersign.listings[0].fields.customerId.column=name",
  "countersign.listings[0].fields.currencyCode.type=text",
  "countersign.listings[0].fields.currencyCode.column=currency_code",
  "countersign.listings[0].fields.status.type=text",
  "countersign.listings[0].fields.status.one-of=ACTIVE,ON HOLD,CLOSED",
  "countersign.listings[0].fields.createdAt.type=timestamp",
  "countersign.listings[0].fields.createdAt.column=created_at",
  "countersign.listings[0].fields.createdAt.generated=true",
  "countersign.listings[0].scope.customerId=customerId",
  "countersign.listings[0].scope.currencyCode=currency",
  "countersign.listings[0].filterable=id,customerId,status,createdAt",
  "countersign.listings[1].path=/ledger/v1/wallets",
  "countersign.listings[1].table=wallets",
  "countersign.listings[1].key=id",
  "countersign.listings[1].totals=none",
  "countersign.listings[1].fields.id.type=uuid",
  "countersign.listings[1].fields.name.type=text",
})
class ScopedListingPagesTest {
  private static final String INVOICES = "/billing/v1/invoices";
  private static final String UNSEEN = "/listings/unseen?path=" + INVOICES;

  private TestService service;
  private ClientStore clients;
  private PortalClient portal;

  @BeforeEach
  void removeAll(TestService shared, PortalClient signedIn) {
    service = shared;
    portal = signedIn;
    clients = service.part(ClientStore.class);
    clients.list().forEach(client -> clients.remove(client.clientId()));
  }

  @Test
  void page_ofListings_showsTheModeOfTheirTotals() {
    assertThat(portal.get("/listings").body())
        .containsOnlyOnce(">cached for 30 s</div>")
        .containsOnlyOnce(">none</div>");
  }

  @Test
  void scopes_areSaidInWords() {
    assertThat(text("/listings"))
        .contains(
            "Each client sees and creates only records whose customerId is a value of its attribute"
                + " customerId , and whose currencyCode is a value of its attribute currency .",
            "None: every client with a role for this list sees all records.",
            "a value of the client's attribute customerId")
        .doesNotContain("row-level security");
  }

  @Test
  void listWithoutScope_overATableThatAnotherScopes_isWarnedOf() {
    String page = text("/listings");
    assertThat(page.split("This list shows records that another list hides", -1)).hasSize(2);
    assertThat(page)
        .contains(
            INVOICES
                + " compares its records with the attributes currency , customerId ; this list does"
                + " not.",
            "Views and partitions of the table are not compared.");
    assertThat(page.indexOf("This list shows")).isGreaterThan(page.indexOf("Example"));
  }

  @Test
  void filters_haveTheirParametersAndAnExampleThatIsAccepted() {
    String page = text("/listings");
    assertThat(page)
        .contains(
            "id=… id=…,… or id=…&id=… none",
            "customerId=… customerId=…&customerId=… customerId.gte , customerId.gt ,"
                + " customerId.lte , customerId.lt",
            "status=… status=…,… or status=…&status=… status.gte",
            INVOICES + "?status=ACTIVE,ON%20HOLD&createdAt.gte=2026-11-20T00:00:00Z",
            "Filterable by nothing");
    TestClient reader =
        set(
            partner("Acme Bank", "invoice-reader"),
            Map.of(
                "customerId",
                AttributeSetting.of(List.of("4711")),
                "currency",
                AttributeSetting.EVERYTHING));
    String example = page.replaceAll("(?s).*GET \\S+(/billing/\\S+createdAt\\S+).*", "$1");
    assertThat(reader.get(example).send().status()).isEqualTo(200);
  }

  @Test
  void clients_withoutAnAttribute_areNamedAndLinked() {
    TestClient none = partner("<b>None</b>", "invoice-reader");
    TestClient part = partner("Part", "invoice-writer");
    set(part, Map.of("customerId", AttributeSetting.of(List.of("4711", "4712"))));
    TestClient all = partner("All", "invoice-writer");
    set(
        all,
        Map.of(
            "customerId",
            AttributeSetting.EVERYTHING,
            "currency",
            AttributeSetting.of(List.of("EUR"))));
    partner("Of another list", "ledger-viewer");
    clients.disable(partner("Disabled", "invoice-reader").clientId());

    assertThat(text(UNSEEN))
        .contains("2 clients see nothing of this list : no currency or no customerId .", "Part")
        .doesNotContain("All", "another", "Disabled", "more");
    assertThat(portal.get(UNSEEN).expect(200).body())
        .contains(
            "/portal/integrations/api-keys/client?id=" + none.clientId() + "#attributes",
            "&lt;b&gt;None&lt;/b&gt;");
  }

  @Test
  void clients_thatAllHaveTheAttributes_areNoWarning() {
    assertThat(text(UNSEEN))
        .contains("Every enabled client that may read this list has currency and customerId .");
  }

  @Test
  void clients_moreThanTen_areCounted() {
    IntStream.range(0, 12).forEach(number -> partner("Partner " + number, "invoice-reader"));
    assertThat(text(UNSEEN)).contains("12 clients see nothing of this list", "and 2 more");
  }

  @Test
  @Tag("full")
  void page_inABrowser_isAccessibleAndNotTooWide() {
    partner(
        "Acme Bank with a name that is longer than most of the names of partners",
        "invoice-reader");
    partner("Borealis", "invoice-writer");
    List<String> findings = new ArrayList<>();
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(360, 1440)) {
        try (BrowserContext context =
            Chromium.shared()
                .newContext(
                    new Browser.NewContextOptions()
                        .setColorScheme(scheme)
                        .setViewportSize(width, 900))) {
          Chromium.addSessionCookie(
              context, service.portalUrl(), portal.cookies().get(PortalClient.SESSION));
          Page page = context.newPage();
          page.navigate(service.portalUrl() + "/listings");
          page.getByText("Borealis").waitFor();
          for (Rule rule : Chromium.violations(page)) {
            findings.add(rule.getId() + ": " + rule.getNodes().getFirst().getHtml());
          }
          Object overflow =
              page.evaluate(
                  "document.documentElement.scrollWidth - document.documentElement.clientWidth");
          if (((Number) overflow).intValue() > 0) {
            findings.add(overflow + " px too wide at " + width);
          }
          page.screenshot(
              new Page.ScreenshotOptions()
                  .setFullPage(true)
                  .setPath(
                      Path.of(
                          "target/screenshots/portal-scoped-" + width + "-" + scheme + ".png")));
        }
      }
    }
    assertThat(findings).isEmpty();
  }

  private TestClient partner(String name, String role) {
    TestClient client = service.register(role, "127.0.0.1", "::1");
    clients.update(client.clientId(), new ClientUpdate(name, null, null, null));
    return client;
  }

  private TestClient set(TestClient client, Map<String, AttributeSetting> attributes) {
    clients.update(
        client.clientId(), new ClientUpdate(null, null, null, attributes, Set.of(), null));
    return client;
  }

  /** Returns a page without its markup, with single blanks. */
  private String text(String path) {
    return portal
        .get(path)
        .expect(200)
        .body()
        .replaceAll("<[^>]*>", " ")
        .replace("&amp;", "&")
        .replace("&#39;", "'")
        .replaceAll("\\s+", " ");
  }
}
