package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.requests.RequestPosition;
import dev.countersign.server.requests.RequestRecordStore;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of new requests, over a socket. */
@SharedService
class LiveRequestsTest {
  private static final Duration SOON = Waits.LIMIT;

  /** A shutdown that waited for a stream would take longer than a test may. */
  private static final String PATIENT = "spring.lifecycle.timeout-per-shutdown-phase=1h";

  private TestService service;
  private TestClient client;
  private PortalClient portal;

  @BeforeEach
  void enter(TestService shared, TestClient registered, PortalClient signedIn) {
    service = shared;
    client = registered;
    portal = signedIn;
  }

  /** For effects that other tests would notice: a service that only this test uses. */
  private TestService startOwn(Path data, String... settings) {
    service = TestService.start(data, 3, settings);
    client = service.register();
    portal = PortalClient.administrator(service);
    return service;
  }

  private OpenStream open(String query) throws IOException {
    return OpenStream.open(service, portal, query, "");
  }

  @Test
  void newRequest_comesAsARowOfTheTable() throws Exception {
    try (OpenStream stream = open("")) {
      long id = Refused.tampered(service, client);
      String came = stream.await("<tr id=\"request-" + id + "\">", SOON);

      assertThat(came)
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("content-type: text/event-stream;charset=utf-8")
          .contains("no-store")
          .containsPattern("id: [0-9a-z]+-[0-9a-z.-]+\nevent: requests\ndata: ");
      stream.await("signature_mismatch", SOON);
    }
  }

  @Test
  void filter_keepsOthersOut() throws Exception {
    try (OpenStream stream = open("?reason=signature_mismatch&path=/ledger")) {
      long other = Refused.unsigned(service, client, Refused.WALLETS);
      long wanted = Refused.tampered(service, client);

      assertThat(stream.await("<tr id=\"request-" + wanted + "\">", SOON))
          .doesNotContain("request-" + other + "\"");
    }
  }

  @Test
  void whatThePageDidNotShow_comesFirst() throws Exception {
    long shown = Refused.tampered(service, client);
    RequestPosition position = service.part(RequestRecordStore.class).position();
    long since = Refused.tampered(service, client);
    try (OpenStream page = open("?after=" + position);
        OpenStream again =
            OpenStream.open(service, portal, "?after=none", "Last-Event-ID: " + position + "\r\n");
        OpenStream odd = OpenStream.open(service, portal, "", "Last-Event-ID: x\r\n")) {
      for (OpenStream stream : List.of(page, again)) {
        assertThat(stream.await("<tr id=\"request-" + since + "\">", SOON))
            .doesNotContain("request-" + shown + "\"");
      }
      // A stream with an odd position begins with the next request.
      long next = Refused.tampered(service, client);
      assertThat(odd.await("<tr id=\"request-" + next + "\">", SOON))
          .doesNotContain("request-" + shown + "\"", "request-" + since + "\"");
    }
  }

  @Test
  void textsOfStrangers_cannotWriteAnEvent() throws Exception {
    try (OpenStream stream = open("")) {
      long id = Refused.hostile(service, null);
      stream.await("<tr id=\"request-" + id + "\">", SOON);
      String came = stream.await("</tr>", SOON);

      assertThat(came).doesNotContain("<script>", "\u202E").contains("[U+000D][U+000A]data: x");
      String events = came.substring(came.indexOf("event: "));
      assertThat(events.lines().filter(line -> line.contains("data: x")))
          .allMatch(line -> line.startsWith("data: ") && line.contains("&lt;script&gt;"));
    }
  }

  @Test
  void signOut_endsTheStream() throws Exception {
    try (OpenStream stream = open("")) {
      portal.post("/sign-out", Map.of()).expect(302);
      Refused.tampered(service, client);

      stream.await("event: end\ndata: You are no longer signed in.", SOON);
      stream.awaitEnd(SOON);
    }
  }

  @Test
  void accountDisabled_endsTheStream_andShowsNothingMore() throws Exception {
    PortalClient viewer = PortalClient.viewer(service);
    try (OpenStream stream = OpenStream.open(service, viewer, "", "");
        OpenStream other = open("")) {
      portal.post("/operators/" + viewer.id(service) + "/disable", Map.of()).expect(302);
      stream.awaitEnd(SOON);
      long id = Refused.tampered(service, client);
      other.await("<tr id=\"request-" + id + "\">", SOON);

      // This wait runs out unless the connection has ended.
      assertThat(stream.during(Duration.ofMillis(100))).doesNotContain("<tr");
    }
  }

  @Test
  void stream_keepsNobodySignedIn() throws Exception {
    String alice = portal.id(service);
    var before = service.part(SessionStore.class).of(alice).getFirst();
    try (OpenStream stream = open("")) {
      Refused.tampered(service, client);
      stream.await("<tr", SOON);
    }
    assertThat(service.part(SessionStore.class).of(alice).getFirst().lastActiveAt())
        .isEqualTo(before.lastActiveAt());
  }

  @Test
  @Tag("alone")
  @Tag("full")
  @SuppressWarnings("try") // The streams are opened at this service, through the field.
  void streams_pastTheBound_areTurnedAwayPlainly_untilOneEnds(@TempDir Path data) throws Exception {
    List<OpenStream> open = new ArrayList<>();
    try (TestService own = startOwn(data)) {
      for (int i = 0; i < LiveStreamLimiter.MOST; i++) {
        open.add(open(""));
      }
      // A stream that receives a row has a place.
      long id = Refused.tampered(service, client);
      for (OpenStream stream : open) {
        stream.await("<tr id=\"request-" + id + "\">", SOON);
      }
      try (OpenStream tooMany = open("")) {
        tooMany.await(
            "event: end\ndata: The number of open live views has reached this node's limit:"
                + " 32",
            SOON);
        tooMany.awaitEnd(SOON);
      }
      open.removeFirst().close();
      // The service notices a closed browser only when it sends something.
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(500))
          .until(this::isTakenIn);
    } finally {
      for (OpenStream stream : open) {
        stream.close();
      }
    }
  }

  private boolean isTakenIn() throws IOException {
    Refused.tampered(service, client);
    try (OpenStream stream = open("?after=none")) {
      return stream.await("\ndata: ", SOON).contains("event: requests\n");
    }
  }

  @Test
  void silence_isFilledWithComments() throws Exception {
    try (OpenStream stream = open("?path=/nowhere")) {
      String came = stream.await(": still here\n\n", SOON);
      assertThat(came).doesNotContainPattern(Pattern.compile("^event:", Pattern.MULTILINE));
    }
  }

  @Test
  @Tag("alone")
  @Tag("full")
  void shutdown_withAPortOfItsOwn_waitsForNoStreamEither(@TempDir Path other) throws Exception {
    TestService apart = TestService.start(other, 0, "countersign.portal.port=0", PATIENT);
    try (OpenStream stream = OpenStream.open(apart, PortalClient.administrator(apart), "", "")) {
      apart.close();

      stream.awaitEnd(SOON);
    } finally {
      apart.close();
    }
  }

  @Test
  @Tag("alone")
  @Tag("full")
  void shutdown_endsStreams_andWaitsForNone(@TempDir Path data) throws Exception {
    TestService own = startOwn(data, PATIENT);
    try (OpenStream first = open("");
        OpenStream second = open("")) {
      own.close();

      first.awaitEnd(SOON);
      second.awaitEnd(SOON);
    } finally {
      own.close();
    }
  }
}
