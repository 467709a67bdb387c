package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.requests.CompletedRequests;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import dev.countersign.server.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that an open page polls, over a socket. */
@SharedService
class LiveRequestsTest {
  private static final Pattern ROW = Pattern.compile("<tr id=\"request-(\\d+)\">");
  private static final Pattern POLLED = Pattern.compile("hx-get=\"/portal(/requests/live[^\"]*)\"");

  private TestService service;
  private TestClient client;
  private PortalClient portal;

  @BeforeEach
  void enter(TestService shared, TestClient registered, PortalClient signedIn) {
    service = shared;
    client = registered;
    portal = signedIn;
  }

  private PortalClient.Answer poll(String query) {
    return portal.get("/requests/live" + query);
  }

  /** Polls until the answer has the row of a request, as a page does. */
  private PortalClient.Answer pollFor(long id, String query) {
    // However slow the machine is, the answer reaches back to the request.
    String far = query + (query.isEmpty() ? "?" : "&") + "away=600";
    return Awaitility.await().until(() -> poll(far), answer -> ids(answer.body()).contains(id));
  }

  private static List<Long> ids(String body) {
    return ROW.matcher(body).results().map(row -> Long.valueOf(row.group(1))).toList();
  }

  private RequestRecordStore records() {
    return service.part(RequestRecordStore.class);
  }

  /** The address that an open page polls. */
  private String polledBy(String page) {
    Matcher address = POLLED.matcher(portal.get(page).expect(200).body());
    assertThat(address.find()).as("an address in %s", page).isTrue();
    return address.group(1).replace("/requests/live", "").replace("&amp;", "&");
  }

  @Test
  void newRequest_comesAsARowOfTheTable() {
    long id = Refused.tampered(service, client);
    // Without the requests of other tests, of which there may be more than a page shows.
    PortalClient.Answer answer = pollFor(id, "?client=" + client.clientId());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualToIgnoringCase("text/html;charset=utf-8");
    assertThat(answer.header("cache-control")).contains("no-store");
    assertThat(answer.header("countersign-skipped")).isEmpty();
    assertThat(answer.body())
        .contains("signature_mismatch", "<bdi>Test</bdi>", "/portal/requests/" + id)
        .doesNotContain("<table", "<html");
  }

  @Test
  void filter_keepsOthersOut() {
    long other = Refused.unsigned(service, client, Refused.WALLETS);
    long wanted = Refused.tampered(service, client);
    String query = "?reason=signature_mismatch&path=/ledger&client=" + client.clientId();

    assertThat(ids(pollFor(wanted, query).body())).contains(wanted).doesNotContain(other);
    assertThat(ids(pollFor(other, "").body())).as("without a filter").contains(wanted, other);
  }

  @Test
  void poll_withoutARow_hasNoContent() {
    PortalClient.Answer answer = poll("?path=/nowhere");

    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void whatThePageDidNotShow_comes() {
    Refused.tampered(service, client);
    String address = polledBy("/requests?live=on&reason=signature_mismatch");
    long since = Refused.tampered(service, client);

    assertThat(address).startsWith("?reason=signature_mismatch&since=");
    assertThat(ids(pollFor(since, address).body())).first().isEqualTo(since);
  }

  /** The rows of older pages would appear below the table, as if they were new. */
  @Test
  void whatOlderPagesShow_doesNotCome() {
    Refused.record(service, 60, "/older-page");
    String page = "/requests?live=on&path=%2Folder-page";
    List<Long> shown = ids(portal.get(page).body());

    assertThat(shown).hasSize(50);
    assertThat(ids(pollFor(shown.getFirst(), polledBy(page)).body())).isEqualTo(shown);
  }

  /** Nodes commit in any order, so a request may be recorded after one that ended later. */
  @Test
  void requestThatIsRecordedLate_comesInItsPlace() {
    long newer = Refused.tampered(service, client);
    long late = Refused.completed(service, client, Instant.now().minusSeconds(5), "/late");

    assertThat(late).isLessThan(newer);
    assertThat(ids(pollFor(late, "?after=" + newer).body()))
        .contains(newer, late)
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
  }

  @Test
  void requestThatIsRecordedTooLate_isOnThePageAlone() {
    long late = Refused.completed(service, client, Instant.now().minusSeconds(31), "/too-late");
    Refused.tampered(service, client);

    assertThat(ids(poll("?client=" + client.clientId()).body())).doesNotContain(late);
    assertThat(poll("?path=/too-late").status()).isEqualTo(204);
    assertThat(ids(poll("?path=/too-late&away=600").body()))
        .as("to a page that was hidden meanwhile")
        .containsExactly(late);
    assertThat(ids(portal.get("/requests?path=/too-late").body())).containsExactly(late);
  }

  @Test
  void moreRequestsThanAPageShows_areCounted() {
    RequestFilter filter = RequestFilter.ALL.withPathPrefix("/bound");
    while (records().count(filter, 0, Long.MAX_VALUE) < 220) {
      recordSome("/bound");
    }
    List<Long> all =
        records().search(filter, null, 1_000).requests().stream().map(RequestRecord::id).toList();

    PortalClient.Answer answer = poll("?away=600&path=/bound&after=" + all.get(210));
    assertThat(ids(answer.body())).isEqualTo(all.subList(0, 200));
    assertThat(answer.header("countersign-skipped")).as("between 210 and 199").isEqualTo("10");
    assertThat(poll("?away=600&path=/bound").header("countersign-skipped"))
        .as("the page had none")
        .isEqualTo("" + (all.size() - 200));
    assertThat(poll("?away=600&path=/bound&after=" + all.get(199)).header("countersign-skipped"))
        .isEmpty();
    assertThat(poll("?away=600&path=/bound&after=" + all.get(0)).header("countersign-skipped"))
        .isEmpty();
  }

  /** Some of the requests get no record if too many arrived within a second. */
  private void recordSome(String path) {
    int some = 60;
    long wanted = recorded() + some;
    for (int i = 0; i < some; i++) {
      service
          .part(RequestObserver.class)
          .completed(
              CompletedRequests.request(
                  Instant.now(), TrustLevel.CLAIMED, client.clientId(), path, Reason.NOT_FOUND));
    }
    Awaitility.await().until(() -> recorded() >= wanted);
  }

  private long recorded() {
    var counters = records().counters();
    return Stream.of(counters.stored(), counters.dropped())
        .flatMap(counts -> counts.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void textsOfStrangers_areEscaped() {
    String rows = pollFor(Refused.hostile(service, null), "").body();

    assertThat(rows)
        .doesNotContain("<script>", "\u202E", "\r")
        .contains("&lt;script&gt;", "[U+000D][U+000A]data: x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?since=x", "?after=-", "?after=99999999999999999999", "?away=-1", "?away=1.5"})
  void id_unreadable_isRefused(String query) {
    assertThat(poll(query).status()).isEqualTo(400);
  }

  @Test
  void signOut_endsThePolls() {
    PortalClient page = portal.elsewhere(service).with("HX-Request", "true");
    pollFor(Refused.tampered(service, client), "");
    assertThat(page.get("/requests/live").status()).isEqualTo(200);

    page.post("/sign-out", Map.of()).expect(302);
    assertGetsNothing(page);
  }

  @Test
  void accountDisabled_getsNothingMore() {
    PortalClient viewer = PortalClient.viewer(service).with("HX-Request", "true");
    long id = Refused.tampered(service, client);
    assertThat(viewer.get("/requests/live?client=" + client.clientId()).body())
        .contains("request-" + id);

    portal.post("/operators/" + viewer.id(service) + "/disable", Map.of()).expect(302);
    pollFor(Refused.tampered(service, client), "");
    assertGetsNothing(viewer);
  }

  private static void assertGetsNothing(PortalClient page) {
    PortalClient.Answer answer = page.get("/requests/live");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("hx-redirect")).isEqualTo("/portal/sign-in");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void polls_keepNobodySignedIn() {
    String id = portal.id(service);
    // The time of the last activity is written at most once a minute.
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql(
                        "UPDATE operator_sessions SET last_active_at = last_active_at - ?"
                            + " WHERE operator_id = ?")
                    .params(Duration.ofMinutes(2).toMillis(), id)
                    .update());
    Instant before = lastActiveAt(id);
    pollFor(Refused.tampered(service, client), "");

    assertThat(lastActiveAt(id)).isEqualTo(before);
    portal.get("/requests?live=on").expect(200);
    assertThat(lastActiveAt(id)).isAfter(before);
  }

  private Instant lastActiveAt(String operator) {
    return service.part(SessionStore.class).of(operator).getFirst().lastActiveAt();
  }
}
