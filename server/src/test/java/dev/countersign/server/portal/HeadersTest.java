package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The restrictions that every response of the portal sets for a browser. */
@SharedService
class HeadersTest {
  private static TestService service;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
  }

  static void assertHardened(RawResponse answer) {
    assertThat(answer.header("content-security-policy"))
        .isEqualTo(
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
                + " form-action 'self'; frame-ancestors 'none'")
        .doesNotContain("unsafe-");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
    assertThat(answer.header("referrer-policy")).isEqualTo("same-origin");
    assertThat(answer.header("cross-origin-opener-policy")).isEqualTo("same-origin");
    assertThat(answer.headers()).doesNotContainKeys("server", "access-control-allow-origin");
  }

  static void assertHardenedAndNotStored(RawResponse answer) {
    assertHardened(answer);
    assertThat(answer.header("cache-control")).contains("no-store");
  }

  static List<Routes.Route> pages() {
    return Routes.by("GET").stream().filter(route -> !route.path().endsWith("/live")).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_orItsError_isHardenedAndNotStored(Routes.Route route) {
    RawResponse answer =
        Wire.get(service.port(), "/portal" + route.at("unknown"), Wire.cookies(administrator));

    assertHardenedAndNotStored(answer);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_forAStranger_isHardenedAndNotStored(Routes.Route route) {
    assertHardenedAndNotStored(Wire.get(service.port(), "/portal" + route.at("unknown")));
  }

  @ParameterizedTest
  @CsvSource({
    "/portal/nothing, 404",
    "/portal/assets/own/nothing.js, 404",
    "/portal/operators/unknown/removal, 404",
    "/portal/listings/total, 400",
    "/portal/listings/sorts, 400",
    "/portal/audit?page=x, 400",
    "/portal/audit?text=%ff, 400",
    "/portal/audit?text=%zz, 400",
    "/portal/listings;x=1, 400",
    "/portal//listings, 400",
    "/portal/nothing.svg, 404",
    "/portal/sign-out, 404",
  })
  void error_onAnyWay_isAHardenedPage(String target, int status) {
    RawResponse answer = Wire.get(service.port(), target, Wire.cookies(administrator));

    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo("text/html;charset=UTF-8");
    assertHardenedAndNotStored(answer);
  }

  @Test
  void form_withoutItsToken_isAHardenedPage() {
    RawResponse answer = Wire.post(service.port(), "/portal/sign-in", "name=a&password=b");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("The form is no longer valid");
    assertHardenedAndNotStored(answer);
  }

  @Test
  void viewer_whereAdministratorsMay_isAHardenedPage() {
    PortalClient viewer = PortalClient.viewer(service);

    RawResponse answer = Wire.get(service.port(), "/portal/operators", Wire.cookies(viewer));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("Viewers cannot do this");
    assertHardenedAndNotStored(answer);
  }

  @Test
  void page_overPlainHttpByAName_isAHardenedPage() {
    RawResponse answer = Wire.get(service.port(), "/portal", "Host: ops.example");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("This portal needs HTTPS");
    assertHardenedAndNotStored(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "own/portal.js",
        "own/portal.css",
        "own/mark.svg",
        "htmx-2.0.10/htmx.min.js",
        "tabler-1.4.0/css/tabler.min.css"
      })
  void asset_isHardened(String path) {
    RawResponse answer = Wire.get(service.port(), "/portal/assets/" + path);

    assertThat(answer.status()).isEqualTo(200);
    assertHardened(answer);
    assertThat(answer.header("cache-control"))
        .isEqualTo(path.startsWith("own") ? "no-cache" : "max-age=31536000, public, immutable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "own/../../application.yaml",
        "own/..%2f..%2fapplication.yaml",
        "own/%2e%2e/%2e%2e/application.yaml",
        "own/..%5c..%5capplication.yaml",
        "own/%252e%252e/application.yaml",
        "own//../pages/setup.html",
        "own/./portal.js",
        "htmx-2.0.10/../../../../application.yaml",
        "own/",
        "own",
        "",
      })
  void asset_outsideOfItsFolder_isNotServed(String path) {
    RawResponse answer = Wire.get(service.port(), "/portal/assets/" + path);

    assertThat(answer.status()).isIn(302, 400, 401, 404);
    assertThat(answer.body()).doesNotContain("spring:", "th:", "use strict");
  }
}
