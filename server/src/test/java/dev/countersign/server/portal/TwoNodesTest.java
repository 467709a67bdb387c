package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedNodes;
import dev.countersign.server.TestService;
import dev.countersign.server.portal.requests.Refused;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two services on one PostgreSQL database: either accepts a session, and either can end it. */
class TwoNodesTest {
  private static TestService one;
  private static TestService two;
  private static PortalClient administrator;
  private static PortalClient viewer;

  @BeforeAll
  static void start() {
    one = SharedNodes.first();
    two = SharedNodes.second();
    administrator = PortalClient.administrator(one);
    viewer = PortalClient.viewer(one);
  }

  private static PortalClient at(TestService node, PortalClient client) {
    PortalClient same = PortalClient.stranger(node);
    same.cookies().putAll(client.cookies());
    return same;
  }

  @Test
  void session_ofOneNode_isServedByTheOtherUntilTheAccountIsDisabled() {
    PortalClient vera = viewer.elsewhere(one);
    PortalClient elsewhere = at(two, vera);
    assertThat(elsewhere.get("/listings").status()).isEqualTo(200);
    String id = viewer.id(two);

    at(two, administrator).post("/operators/" + id + "/disable", Map.of()).expect(302);

    assertThat(vera.get("/listings").status()).isEqualTo(302);
    assertThat(elsewhere.get("/listings").status()).isEqualTo(302);
    administrator.post("/operators/" + id + "/enable", Map.of()).expect(302);
  }

  @Test
  void requestToOneNode_isPolledFromTheOther() {
    long id = Refused.tampered(one, one.register());
    PortalClient elsewhere = at(two, administrator);

    Awaitility.await()
        .until(
            () -> elsewhere.get("/requests/live").body(),
            rows -> rows.contains("<tr id=\"request-" + id + "\">"));
  }

  @Test
  void form_ofOneNode_isTakenByTheOther() {
    PortalClient here = viewer.elsewhere(one);
    String token = here.token();

    at(two, here).postAsIs("/sign-out", Map.of("_csrf", token)).expect(302);

    assertThat(here.get("/listings").status()).isEqualTo(302);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/audit?text=%00",
        "/audit?author=a%00b&action=%00&subject=%00",
        "/audit?from=%00&to=0000-00-00",
        "/audit?text=%EF%BF%BF%F0%9F%98%80%E2%80%AE",
        "/audit/audit.csv?text=%00",
        "/audit/check?head=%00",
        "/listings/total?path=%00",
        "/operators/x%EF%BF%BF/removal",
        "/sign-in?to=%00",
      })
  void text_thatPostgresqlCannotKeep_isNoDefect(String path) {
    RawResponse answer = Wire.get(one.port(), "/portal" + path, Wire.cookies(administrator));

    assertThat(answer.status()).as(answer.body()).isBetween(200, 499);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name=%00&password=%00", "name=a%00b&password=x", "name=%EF%BF%BF"})
  void signIn_withTextThatPostgresqlCannotKeep_isRefused(String form) {
    PortalClient stranger = PortalClient.stranger(one);
    RawResponse answer =
        Wire.post(
            one.port(),
            "/portal/sign-in",
            form,
            "X-XSRF-TOKEN: " + stranger.token(),
            "User-Agent: \u00e9",
            Wire.cookies(stranger));

    assertThat(answer.header("location")).matches("/portal/sign-in\\?(refused|wait=\\d+)");
  }
}
