package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.portal.PortalClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of requests and its detail pages, over a socket. */
@SharedService
class RequestPagesTest {
  private static final Pattern ROW = Pattern.compile("<tr id=\"request-(\\d+)\">");

  private static TestService service;
  private static TestClient client;
  private static PortalClient portal;

  @BeforeAll
  static void start(TestService shared, TestClient registered, PortalClient signedIn) {
    service = shared;
    client = registered;
    portal = signedIn;
  }

  @Test
  void table_refusedCall_isShownWithItsClientAndReason() {
    long id = Refused.tampered(service, client);

    assertThat(row(portal.get("/requests").expect(200).body(), id))
        .contains("/portal/requests/" + id, "datetime=\"20")
        .contains("/portal/integrations/api-keys/client?id=" + client.clientId(), "<bdi>Test</bdi>")
        .contains(">GET<", ">" + Refused.WALLETS + "<", ">401<", ">signature_mismatch<")
        .contains(" ms<", ">127.0.0.1<", ">claimed<");
  }

  /** The page shows the operator what a proxy wrote. */
  @Test
  @SharedConfiguredService
  void detail_unreadableForwardingHeader_showsItsValue(
      TestService behind, TestClient partner, PortalClient operator) {
    String path = Refused.WALLETS + "/forwarded";
    partner.get(path).with("X-Forwarded-For", "203.0.113.7, <unknown>").send();

    List<Long> ids =
        Awaitility.await()
            .until(
                () -> ids(operator.get("/requests?reason=request_malformed&path=" + path).body()),
                found -> !found.isEmpty());
    assertThat(operator.get("/requests/" + ids.getFirst()).expect(200).body())
        .contains("an IP address, which may have a port; X-Forwarded-For has ")
        .contains("&lt;unknown&gt;");
  }

  @ParameterizedTest
  @CsvSource({
    "reason=signature_mismatch, reason=replayed",
    "outcome=refused, outcome=accepted",
    "status=401, status=403",
    "standing=claimed, standing=verified",
    "path=/ledger, path=/other",
    "client=CLIENT, client=cl-0",
    "from=2020-01-01T00:00, from=2100-01-01T00:00:00",
    "to=2100-01-01T00:00:00Z, to=2020-01-01T00:00"
  })
  void filter_takesWhatFits_andNothingElse(String fitting, String other) {
    long id = Refused.tampered(service, client);

    String asked = fitting.replace("CLIENT", client.clientId());
    assertThat(portal.get("/requests?" + asked).body()).contains("id=\"request-" + id + "\"");
    assertThat(portal.get("/requests?" + other).body()).doesNotContain("id=\"request-" + id + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status=abc",
        "status=99",
        "status=%2B401",
        "status=%D9%A4%D9%A0%D9%A1",
        "reason=none",
        "outcome=maybe",
        "standing=x",
        "from=noon",
        "from=%2B10000-01-01T00:00:00Z",
        "to=%2B999999999-01-01T00:00",
        "to=-0001-12-31T23:59:59Z",
        "to=1"
      })
  void filter_unreadable_isSaid_andNothingIsSearched(String field) {
    Refused.tampered(service, client);
    String body = portal.get("/requests?live=on&" + field).expect(200).body();

    assertThat(body)
        .contains("role=\"alert\"", field.replace("=", " must be ").split(" must be ")[0])
        .doesNotContain("<tr id=", "/requests/live");
    assertThat(portal.get("/requests/live?" + field).status()).isEqualTo(400);
  }

  @Test
  void pages_olderAndNewer_neitherOverlapNorSkip_andKeepTheFilter() {
    Refused.record(service, 120, "/paged/a");
    List<Long> there = new ArrayList<>();
    String page = "/requests?path=%2Fpaged%2Fa";
    String last = "";
    for (int i = 0; i < 3; i++) {
      last = portal.get(page).expect(200).body();
      there.addAll(ids(last));
      page = link(last, "Older").orElse("");
    }

    assertThat(page).isEmpty();
    assertThat(there)
        .hasSize(120)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    String middle = portal.get(link(last, "Newer").orElseThrow()).body();
    assertThat(ids(middle)).isEqualTo(there.subList(50, 100));
    String newest = portal.get(link(middle, "Newer").orElseThrow()).body();
    assertThat(ids(newest)).isEqualTo(there.subList(0, 50));
    assertThat(link(newest, "Newer").flatMap(to -> ids(portal.get(to).body()).stream().findFirst()))
        .as("a link, if there is one, leads to the newest request")
        .isIn(Optional.empty(), Optional.of(there.getFirst()));
  }

  @Test
  void part_forAScript_isTheTableAlone_withACleanAddress() {
    PortalClient script =
        PortalClient.stranger(service).with("HX-Request", "true").with("HX-Target", "results");
    script.cookies().putAll(portal.cookies());

    PortalClient.Answer answer = script.get("/requests?client=&status=401&live=on").expect(200);
    assertThat(answer.body()).startsWith("<div>").doesNotContain("<form", "<html");
    assertThat(answer.body()).contains("hx-get=\"/portal/requests/live?status=401&amp;since=");
    assertThat(answer.header("hx-push-url")).isEqualTo("/portal/requests?status=401&live=on");
  }

  @Test
  void textsOfStrangers_areEscapedAndShown() {
    long id = Refused.hostile(service, null);
    String path =
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;`[U+202E][U+0007][U+000D][U+000A]data:"
            + " x";

    assertThat(row(portal.get("/requests").body(), id)).contains(path);
    String opened = portal.get("/requests/" + id).expect(200).body();
    assertThat(opened).contains(path);
    String filtered =
        portal.get("/requests?path=%22%3E%3Cscript%3E&client=%22%20onx%3D%22&status=%3Cb").body();
    for (String page : List.of(opened, filtered, portal.get("/requests").body())) {
      assertThat(page)
          .doesNotContain("<script>", "alert(1)</", "\u202E", "\u0007", "\" onx=\"", "<b was");
      assertThat(page.replaceAll("\"[^\"]*\"", ""))
          .doesNotContainPattern("<[^>]* style=")
          .doesNotContainPattern("<[^>]* on[a-z]+=")
          .doesNotContainPattern("<script(?![^>]* src=)");
    }
  }

  @Test
  void opened_tamperedCall_failsTheCheckOfItsSignature() {
    long id = Refused.tampered(service, client);
    String page = portal.get("/requests/" + id).expect(200).body();

    List<String> expected = new ArrayList<>();
    expected.addAll(Collections.nCopies(Check.SIGNATURE.number() - 1, "passed"));
    expected.add("failed");
    expected.addAll(
        Collections.nCopies(Check.values().length - Check.SIGNATURE.number(), "not_reached"));
    assertThat(states(page)).isEqualTo(expected);
    assertThat(page)
        .contains("/ledger/v1/wallets?page=1", "&quot;@target-uri&quot;: http://localhost:")
        .contains("How to fix it:");
  }

  @Test
  void opened_otherReason_hasAdviceAndNoBase() {
    long id = Refused.unsigned(service, client, Refused.WALLETS);
    String page = portal.get("/requests/" + id).expect(200).body();

    assertThat(states(page)).startsWith("failed", "not_reached");
    assertThat(page).contains("a proxy on the way removes").doesNotContain("<textarea");
    assertThat(portal.post("/requests/" + id + "/comparison", Map.of("base", "x")).status())
        .isEqualTo(404);
  }

  @Test
  void opened_acceptedCall_hasPassedAllChecks() {
    long id = Refused.accepted(service, client);
    Refused.unsigned(service, client, Refused.WALLETS);

    assertThat(ids(portal.get("/requests?outcome=accepted&client=" + client.clientId()).body()))
        .first()
        .isEqualTo(id);
    assertThat(states(portal.get("/requests/" + id).body()))
        .hasSameSizeAs(Check.values())
        .containsOnly("passed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/requests/999999999", "/requests/999999999/comparison", "/requests/0"})
  void opened_thatIsNotThere_isSaidToBeGone(String path) {
    PortalClient.Answer answer = portal.get(path);
    PortalClient.Answer end =
        answer.status() == 302
            ? portal.get(answer.header("location").replace("/portal", ""))
            : answer;
    assertThat(end.status()).isEqualTo(404);
  }

  @Test
  void strangers_seeNoRequest() {
    PortalClient stranger = PortalClient.stranger(service);
    assertThat(stranger.get("/requests").status()).isEqualTo(302);
    assertThat(stranger.get("/requests/1").status()).isEqualTo(302);
    assertThat(stranger.get("/requests/live").status()).isEqualTo(302);
    assertThat(stranger.with("HX-Request", "true").get("/requests/live").status()).isEqualTo(401);
  }

  private static String row(String body, long id) {
    int start = body.indexOf("<tr id=\"request-" + id + "\">");
    assertThat(start).as("row %s", id).isPositive();
    return body.substring(start, body.indexOf("</tr>", start));
  }

  private static List<Long> ids(String body) {
    return ROW.matcher(body).results().map(row -> Long.valueOf(row.group(1))).toList();
  }

  private static List<String> states(String body) {
    return Pattern.compile("data-state=\"(\\w+)\"")
        .matcher(body)
        .results()
        .map(m -> m.group(1))
        .toList();
  }

  private static Optional<String> link(String body, String text) {
    Matcher link = Pattern.compile("href=\"/portal([^\"]*)\">" + text + "<").matcher(body);
    return link.find() ? Optional.of(link.group(1).replace("&amp;", "&")) : Optional.empty();
  }
}
