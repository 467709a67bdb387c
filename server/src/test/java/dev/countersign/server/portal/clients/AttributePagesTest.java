package dev.countersign.server.portal.clients;

import static dev.countersign.server.portal.clients.ApiKeysPages.CLIENT;
import static dev.countersign.server.portal.clients.ApiKeysPages.LIST;
import static dev.countersign.server.portal.clients.ApiKeysPages.form;
import static dev.countersign.server.portal.clients.ApiKeysPages.of;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.portal.Chromium;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.portal.PortalClient.Answer;
import dev.countersign.server.store.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The attributes of clients in the portal. */
@SharedService({
  "countersign.attributes.customerId.type=text",
  "countersign.attributes.customerId.many=true",
  "countersign.attributes.region.type=integer",
  "countersign.roles.ledger-viewer=ledger:wallets:read",
  "countersign.listings[0].path=/ledger/v1/wallets",
  "countersign.listings[0].table=wallets",
  "countersign.listings[0].key=id",
  "countersign.listings[0].fields.id.type=uuid",
  "countersign.listings[0].fields.name.type=text",
  "countersign.listings[0].scope.name=customerId",
})
class AttributePagesTest {
  private static final String SEES_NOTHING = "sees nothing of /ledger/v1/wallets: no customerId";

  private TestService service;
  private PortalClient alice;
  private ApiKeysPages pages;

  @BeforeEach
  void removeAllClients(TestService shared, PortalClient signedIn) {
    service = shared;
    alice = signedIn;
    pages = new ApiKeysPages(service, alice);
    pages.clients().list().forEach(client -> pages.clients().remove(client.clientId()));
  }

  @Test
  void add_attributes_areStoredAndShown() {
    Map<String, String> form = form("Acme", RsaKeyPairs.keyPair(0));
    form.put("attribute-customerId", "4712\r\n\r\n4711 \r\n");
    form.put("attribute-region", " 7 ");
    String id = pages.add(form);

    assertThat(pages.client(id).attributes())
        .containsOnly(
            Map.entry("customerId", AttributeSetting.of(List.of("4711 ", "4712"))),
            Map.entry("region", AttributeSetting.of(List.of("7"))));
    assertThat(pages.show(id).expect(200).body())
        .contains("4711 \n4712</textarea>", "name=\"attribute-region\"", "value=\"7\"")
        .doesNotContain(SEES_NOTHING, "sees every");
    assertThat(pages.list("?q=customerid%3D4712").body()).contains("Acme", "4712", "region");
    assertThat(pages.list("?q=region%3D4712").body()).contains("No client matches");
    assertThat(lastEntry().after())
        .contains("\"attributes\":{\"customerId\":[\"4711 \",\"4712\"],\"region\":[\"7\"]}");
  }

  @Test
  void add_everyValueOfAnAttribute_isShownAsABadge() {
    Map<String, String> form = form("Acme", RsaKeyPairs.keyPair(0));
    form.put("everything", "customerId");
    String id = pages.add(form);

    assertThat(pages.client(id).attributes())
        .containsOnly(Map.entry("customerId", AttributeSetting.EVERYTHING));
    assertThat(pages.show(id).expect(200).body())
        .contains("sees every customerId")
        .containsPattern("value=\"customerId\"\\s+checked=\"checked\"");
    assertThat(pages.list("?q=customerId%3D*").body()).contains("Acme", "every customerId");
    assertThat(PortalClient.viewer(service).get(of(CLIENT, id)).expect(200).body())
        .contains("sees every customerId", "every customerId");
  }

  @Test
  void add_wrongAttributes_saysTheRulesAndKeepsWhatWasTyped() {
    Map<String, String> form = form("Acme", RsaKeyPairs.keyPair(0));
    form.put("attribute-customerId", "4711\n*");
    form.put("attribute-region", "north");

    assertThat(alice.post(LIST, form).expect(422).body())
        .contains("Nothing was added.")
        .contains("attribute customerId: * means everything and cannot be one of its values")
        .contains("attribute region must be a 64-bit integer, was &quot;north&quot;")
        .contains("href=\"#attribute-region\"", "aria-invalid=\"true\"", "value=\"north\"");
    form.put("attribute-customerId", "4711");
    form.put("attribute-region", "");
    form.put("everything", "customerId");
    assertThat(alice.post(LIST, form).expect(422).body())
        .contains("attribute customerId: remove the values, or uncheck the box below them");
    form.put("attribute-customerId", ApiKeysPages.privatePem(RsaKeyPairs.keyPair(1)));
    assertThat(alice.post(LIST, form).expect(422).body()).doesNotContain("BEGIN PRIVATE KEY");
    assertThat(pages.clients().list()).isEmpty();
  }

  @Test
  void check_whileTyping_countsMatchesAndWarnsOfCommas() {
    String unmatched = check("customerId", "cust-9999");
    assertThat(unmatched).containsPattern("matches 0 of [\\d,]+ records of wallets");
    assertThat(check("customerId", "cust-1003, cust-1004"))
        .contains("Stored as one value:", "<code>cust-1003, cust-1004</code>", "one per line")
        .contains("matches 0 of ");
    assertThat(check("customerId", "cust-1003\ncust-1004"))
        .contains("matches 0 of ")
        .doesNotContain("Stored as one value");
    assertThat(check("customerId", " ")).doesNotContain("matches", "danger");
    assertThat(check("customerId", "*")).contains("* means everything").doesNotContain("matches");
    assertThat(check("region", "7")).doesNotContain("matches", "danger");
    assertThat(check("region", "7, 8")).contains("attribute region must be a 64-bit integer");
    alice.post(LIST + "/check/attribute", Map.of("attribute", "none")).expect(404);
    PortalClient.viewer(service)
        .post(LIST + "/check/attribute", attribute("customerId", "x"))
        .expect(403);
  }

  @Test
  void show_valueWithAComma_warnsOfIt() {
    Client client =
        addClient(Map.of("customerId", AttributeSetting.of(List.of("cust-1003, cust-1004"))));

    assertThat(pages.show(client.clientId()).body())
        .contains("Stored as one value:", "hx-trigger=\"load, input delay:300ms\"");
  }

  private String check(String attribute, String text) {
    return alice.post(LIST + "/check/attribute", attribute(attribute, text)).expect(200).body();
  }

  private static Map<String, String> attribute(String name, String text) {
    return Map.of("attribute", name, "attribute-" + name, text);
  }

  @Test
  void client_withoutTheAttributeOfAScope_isSaidToSeeNothing() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));

    assertThat(alice.get(of(CLIENT, id) + "&done=added").expect(200).body())
        .contains("The client is added.", "This client lacks", "It " + SEES_NOTHING + ".");
    assertThat(pages.list("").body()).contains(">no customerId</span>");
    pages.post(CLIENT + "/update", id, updateForm(id, "attribute-customerId", "4711")).expect(302);
    assertThat(pages.show(id).body()).doesNotContain(SEES_NOTHING);
    assertThat(pages.list("").body()).doesNotContain(">no customerId</span>");
  }

  @Test
  void update_emptyField_removesTheAttribute() {
    Client client = addClient(Map.of("region", AttributeSetting.of(List.of("7"))));
    String id = client.clientId();
    pages.post(CLIENT + "/update", id, updateForm(id, "attribute-region", "")).expect(302);

    assertThat(pages.client(id).attributes()).isEmpty();
    assertThat(lastEntry().before()).isEqualTo("{\"attributes\":{\"region\":[\"7\"]}}");
  }

  @Test
  void update_attributeThatLeftTheConfiguration_staysUntilItIsRemoved() {
    String id = addClient(Map.of()).clientId();
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("INSERT INTO client_attributes VALUES (?, 'tenant', 'everything', '')")
                    .param(id)
                    .update());

    assertThat(pages.show(id).expect(200).body())
        .contains("Remove <span>tenant</span>", "admits nothing: not in the configuration")
        .contains("An attribute admits", "attribute tenant is not in the configuration.")
        .doesNotContain("sees every tenant");
    pages.post(CLIENT + "/update", id, updateForm(id)).expect(302);
    assertThat(pages.client(id).attributes()).containsOnlyKeys("tenant");
    pages.post(CLIENT + "/update", id, updateForm(id, "removed", "tenant")).expect(302);
    assertThat(pages.client(id).attributes()).isEmpty();
    pages.post(CLIENT + "/update", id, updateForm(id, "removed", "nothing")).expect(302);
  }

  @Test
  void update_severalValuesThatAreNoLongerAllowed_areNotJoined() {
    String id = addClient(Map.of("region", AttributeSetting.of(List.of("7")))).clientId();
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("INSERT INTO client_attributes VALUES (?, 'region', 'value', '8')")
                    .param(id)
                    .update());

    assertThat(pages.show(id).expect(200).body())
        .containsPattern("<textarea[^>]*name=\"attribute-region\"[^>]*>7\n8</textarea>")
        .contains("attribute region must have one value, had 2.");
    assertThat(
            pages
                .post(CLIENT + "/update", id, updateForm(id, "attribute-region", "7\n8"))
                .expect(422)
                .body())
        .contains("attribute region must have one value, had 2");
  }

  @Test
  void manyValues_areShownToViewersInFull() {
    List<String> values = IntStream.range(0, 40).mapToObj(number -> "customer-" + number).toList();
    String id = addClient(Map.of("customerId", AttributeSetting.of(values))).clientId();

    assertThat(pages.show(id).body()).contains("rows=\"10\"");
    assertThat(PortalClient.viewer(service).get(of(CLIENT, id)).expect(200).body())
        .contains("and 37 more", "All 40 values")
        .contains(values.stream().map(value -> ">" + value + "</div>").toList());
  }

  @Test
  void update_staleRevision_comparesTheAttributes() {
    Client client = addClient(Map.of("region", AttributeSetting.of(List.of("7"))));
    String id = client.clientId();
    String[] yours = updateForm(id, "attribute-region", "8", "everything", "customerId");
    pages.clients().update(id, new ClientUpdate("Theirs", null, null, null));

    Answer conflict = pages.post(CLIENT + "/update", id, yours).expect(409);

    assertThat(conflict.body())
        .contains("<dt>Attributes", "differs", ">7</code>", ">8</code>")
        .containsPattern("name=\"everything\" value=\"customerId\"")
        .containsPattern("name=\"attribute-region\"[^>]*>8</textarea>");
    assertThat(pages.client(id).attributes()).isEqualTo(client.attributes());
  }

  @Test
  void hostileValues_areEscapedOnAllPages() {
    String hostile = "<script>alert(1)</script>\"'${7919*7907}";
    String id = addClient(Map.of("customerId", AttributeSetting.of(List.of(hostile)))).clientId();
    for (Answer answer :
        List.of(
            pages.list(""),
            pages.show(id),
            pages.post(CLIENT + "/update", id, updateForm(id, "attribute-region", hostile)),
            pages.post(
                CLIENT + "/update", id, "name", "A", "whitelist", "::1", "roles", "ledger-viewer"),
            PortalClient.viewer(service).get(of(CLIENT, id)))) {
      assertThat(answer.body())
          .contains("&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert", "62615533");
    }
  }

  @Test
  @Tag("full")
  void field_inABrowser_showsItsMatchesOnLoadAndWhileTyping() {
    String id =
        addClient(Map.of("customerId", AttributeSetting.of(List.of("cust-9999")))).clientId();
    try (BrowserContext context = Chromium.shared().newContext()) {
      Chromium.addSessionCookie(
          context, service.portalUrl(), alice.cookies().get(PortalClient.SESSION));
      Page page = context.newPage();
      page.navigate(service.portalUrl() + of(CLIENT, id));
      page.getByText(Pattern.compile("matches 0 of [\\d,]+ records of wallets")).waitFor();
      page.locator("#attribute-customerId").fill("cust-1003, cust-1004");
      page.getByText("Stored as one value:").waitFor();
      page.locator("#attribute-region").fill("north");
      page.getByText("attribute region must be a 64-bit integer").waitFor();
      assertThat(Chromium.violations(page)).isEmpty();
    }
  }

  @Test
  @Tag("full")
  void pages_inABrowserWithoutScripts_workAndAreAccessible() {
    String id =
        addClient(
                Map.of(
                    "customerId",
                    AttributeSetting.EVERYTHING,
                    "region",
                    AttributeSetting.of(List.of("7"))))
            .clientId();
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("INSERT INTO client_attributes VALUES (?, 'tenant', 'value', 'x')")
                    .param(id)
                    .update());
    List<String> findings = new ArrayList<>();
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (BrowserContext context =
          Chromium.shared()
              .newContext(
                  new Browser.NewContextOptions()
                      .setColorScheme(scheme)
                      .setViewportSize(390, 844))) {
        Chromium.addSessionCookie(
            context, service.portalUrl(), alice.cookies().get(PortalClient.SESSION));
        Page page = context.newPage();
        for (String path : List.of(LIST, LIST + "/new", of(CLIENT, id))) {
          page.navigate(service.portalUrl() + path);
          for (Rule rule : Chromium.violations(page)) {
            findings.add(path + " " + rule.getId() + ": " + rule.getNodes().getFirst().getHtml());
          }
        }
      }
    }
    assertThat(findings).isEmpty();
    try (BrowserContext context =
        Chromium.shared().newContext(new Browser.NewContextOptions().setJavaScriptEnabled(false))) {
      Chromium.addSessionCookie(
          context, service.portalUrl(), alice.cookies().get(PortalClient.SESSION));
      Page page = context.newPage();
      page.navigate(service.portalUrl() + of(CLIENT, id));
      page.getByLabel("Every customerId").uncheck();
      page.getByLabel("customerId", new Page.GetByLabelOptions().setExact(true)).fill("4711\n4712");
      page.getByLabel("Remove tenant").check();
      page.locator("button:text('Update')").click();
      page.getByText("Updated. The changes are in effect.").waitFor();
    }
    assertThat(pages.client(id).attributes())
        .containsOnly(
            Map.entry("customerId", AttributeSetting.of(List.of("4711", "4712"))),
            Map.entry("region", AttributeSetting.of(List.of("7"))));
  }

  private Client addClient(Map<String, AttributeSetting> attributes) {
    Client client = pages.existing(null, "Acme", RsaKeyPairs.keyPair(0));
    return attributes.isEmpty()
        ? client
        : pages
            .clients()
            .update(
                client.clientId(), new ClientUpdate(null, null, null, attributes, Set.of(), null));
  }

  private String[] updateForm(String id, String... more) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("name", "Acme");
    fields.put("whitelist", "127.0.0.1\n::1");
    fields.put("roles", "ledger-viewer");
    fields.put("revision", String.valueOf(pages.client(id).revision()));
    for (int i = 0; i < more.length; i += 2) {
      fields.put(more[i], more[i + 1]);
    }
    return fields.entrySet().stream()
        .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
        .toArray(String[]::new);
  }

  private AuditEntry lastEntry() {
    return service.part(AuditTrail.class).page(AuditFilter.all(), 0, 1).entries().getFirst();
  }
}
