package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each route of the portal: its preconditions, and the unchanged state after a refusal. */
@SharedService
class CsrfTest {
  /** The routes that do not require a sign-in. */
  private static final Set<String> OPEN =
      Set.of("GET /sign-in", "POST /sign-in", "GET /setup", "POST /setup", "POST /sign-out");

  /** The routes that viewers may use: they affect only the viewer or only compare two texts. */
  private static final Set<String> VIEWERS_TOO =
      Set.of("POST /account/sign-out-everywhere", "POST /requests/{id}/comparison");

  private static TestService service;
  private static PortalClient administrator;
  private static PortalClient viewer;
  private static PortalClient another;
  private static String subject;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
    viewer = PortalClient.viewer(service);
    another = PortalClient.viewer(service);
    subject = PortalClient.viewer(service).id(service);
  }

  static List<Routes.Route> changes() {
    return Routes.all().stream().filter(route -> !route.method().equals("GET")).toList();
  }

  /** Without the streams, which do not end. */
  static Stream<Routes.Route> looks() {
    return Routes.by("GET").stream().filter(route -> !route.path().endsWith("/live"));
  }

  static Stream<Routes.Route> administratorsChanges() {
    return changes().stream()
        .filter(route -> !OPEN.contains(route.toString()))
        .filter(route -> !VIEWERS_TOO.contains(route.toString()));
  }

  static Stream<Routes.Route> closed() {
    return Routes.all().stream().filter(route -> !OPEN.contains(route.toString()));
  }

  @Test
  void routes_areFound() {
    assertThat(Routes.all()).hasSizeGreaterThan(20);
    assertThat(Routes.all().stream().map(Routes.Route::method)).containsOnly("GET", "POST");
    assertThat(Routes.all().stream().map(Routes.Route::toString)).containsAll(OPEN);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void change_withoutItsToken_isRefusedAndChangesNothing(Routes.Route route) {
    assertRefused(route, administrator, "");
    assertRefused(route, administrator, "x");
    assertRefused(route, administrator, "A".repeat(administrator.token().length()));
    assertRefused(route, administrator, another.token());
    assertRefused(route, administrator, administrator.cookies().getOrDefault("JSESSIONID", "0"));
  }

  private static void assertRefused(Routes.Route route, PortalClient client, String token) {
    Map<String, String> before = StoredRows.of(service);
    Map<String, String> form = form(route);
    form.put("_csrf", token);

    PortalClient.Answer answer = client.postAsIs(route.at(subject), form);

    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("The form is no longer valid");
    assertThat(answer.response().headers().map()).doesNotContainKey("location");
    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void change_fromAnotherOrigin_isRefusedAndChangesNothing(Routes.Route route) {
    Map<String, String> before = StoredRows.of(service);
    for (String header :
        List.of(
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Sec-Fetch-Site: ",
            "Origin: null",
            "Origin: http://localhost",
            "Origin: https://localhost:" + service.port(),
            "Origin: http://evil.localhost:" + service.port())) {
      RawResponse answer = send(route, administrator, administrator.token(), header);

      assertThat(answer.status()).as(header).isEqualTo(403);
      assertThat(answer.body()).contains("The form comes from another site");
    }
    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Site: none",
        "Origin: http://localhost:PORT",
        "Sec-Fetch-Site: same-origin\r\nOrigin: null",
      })
  void change_fromThePortalItself_isCarriedOut(String headers) {
    PortalClient own = another.elsewhere(service);
    RawResponse answer =
        send(
            new Routes.Route("POST", "/account/sign-out-everywhere", List.of()),
            own,
            own.token(),
            headers.replace("PORT", String.valueOf(service.port())));

    assertThat(answer.status()).isEqualTo(302);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void change_withTheTokenButNotItsCookie_isRefused(Routes.Route route) {
    Map<String, String> form = form(route);
    form.put("_csrf", administrator.token());
    Map<String, String> before = StoredRows.of(service);

    RawResponse answer =
        Wire.post(
            service.port(),
            "/portal" + route.at(subject),
            "_csrf=" + form.get("_csrf"),
            "Cookie: " + Wire.SESSION + "=" + administrator.cookies().get(Wire.SESSION));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("looks")
  void look_changesNothing(Routes.Route route) {
    Map<String, String> before = StoredRows.of(service);

    Wire.get(
        service.port(),
        "/portal"
            + route.at(subject)
            + "?"
            + String.join(
                "&", form(route).keySet().stream().map(name -> name + "=VIEWER").toList()),
        Wire.cookies(administrator));

    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void change_byGet_isNoChange(Routes.Route route) {
    Map<String, String> before = StoredRows.of(service);

    administrator.get(route.at(subject));

    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("closed")
  void closedRoute_forAStranger_leadsToTheSignIn(Routes.Route route) {
    PortalClient stranger = PortalClient.stranger(service);
    String token = stranger.token();

    RawResponse whole = send(route, stranger, token, "Accept: text/html");
    assertThat(whole.status()).isEqualTo(302);
    assertThat(whole.header("location")).startsWith("/portal/sign-in");
    assertThat(whole.body().replace("0\r\n\r\n", "")).isEmpty();

    RawResponse part = send(route, stranger, token, "HX-Request: true");
    assertThat(part.status()).isEqualTo(401);
    assertThat(part.header("hx-redirect")).isEqualTo("/portal/sign-in");
    assertThat(part.body().replace("0\r\n\r\n", "")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("closed")
  void closedRoute_withASessionThatIsNone_leadsToTheSignIn(Routes.Route route) {
    PortalClient stranger = PortalClient.stranger(service);
    String token = stranger.token();
    stranger.cookies().put(Wire.SESSION, "x".repeat(43));

    assertThat(send(route, stranger, token, "Accept: text/html").status()).isEqualTo(302);
  }

  @ParameterizedTest
  @MethodSource("administratorsChanges")
  void change_byAViewer_isRefusedAndChangesNothing(Routes.Route route) {
    Map<String, String> before = StoredRows.of(service);

    PortalClient.Answer answer = viewer.post(route.at(subject), form(route));

    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("Viewers cannot do this");
    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  private static RawResponse send(
      Routes.Route route, PortalClient client, String token, String header) {
    return Wire.send(
        service.port(),
        route.method(),
        "/portal" + route.at(subject),
        "",
        header,
        "X-XSRF-TOKEN: " + token,
        Wire.cookies(client));
  }

  /** Values that are valid for most routes, so that the refusal is not about them. */
  private static Map<String, String> form(Routes.Route route) {
    Map<String, String> form = new HashMap<>();
    route.parameters().forEach(name -> form.put(name, "zoe"));
    form.computeIfPresent("role", (name, value) -> "ADMINISTRATOR");
    return form;
  }
}
