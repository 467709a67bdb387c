package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If a browser would not keep secure cookies, the portal only says so. */
@SharedService
class InsecureOriginTest {
  private static TestService service;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
  }

  private static void assertSaysSo(RawResponse answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("This portal needs HTTPS");
    assertThat(answer.headers()).doesNotContainKey("set-cookie");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ops.example",
        "ops.example:443",
        "localhost.evil.example",
        "localhostevil",
        "evil-localhost",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io",
        "127.1",
        "1270.0.0.1",
        "10.0.0.5",
        "0.0.0.0",
        "[::]",
        "[::2]",
        "[::ffff:127.0.0.1]",
        "2130706433",
      })
  void host_thatIsNotThisMachine_getsThePageThatSaysSo(String host) {
    assertSaysSo(Wire.get(service.port(), "/portal/sign-in", "Host: " + host));
    assertSaysSo(
        Wire.get(
            service.port(), "/portal/operators", "Host: " + host, Wire.cookies(administrator)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:8080",
        "portal.localhost",
        "127.0.0.1",
        "127.3.2.1:9",
        "[::1]",
        "[::1]:80",
      })
  void host_thatIsThisMachine_isServed(String host) {
    assertThat(Wire.get(service.port(), "/portal/sign-in", "Host: " + host).status())
        .isEqualTo(200);
  }

  @Test
  void change_overPlainHttpByAName_changesNothing() {
    Map<String, String> before = StoredRows.of(service);

    assertSaysSo(
        Wire.post(
            service.port(),
            "/portal/operators",
            "name=eve&role=VIEWER",
            "Host: ops.example",
            "X-XSRF-TOKEN: " + administrator.token(),
            Wire.cookies(administrator)));

    assertThat(StoredRows.of(service)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Proto: https",
        "Forwarded: proto=https",
        "X-Forwarded-Ssl: on",
        "X-Forwarded-Host: localhost",
        "X-Url-Scheme: https",
        "Front-End-Https: on",
        "X-Forwarded-Scheme: https",
      })
  void header_ofAPeerThatIsNoTrustedProxy_changesNothing(String header) {
    assertSaysSo(Wire.get(service.port(), "/portal/sign-in", "Host: ops.example", header));
  }

  @Test
  void page_whichSaysSo_getsItsStyle() {
    RawResponse page = Wire.get(service.port(), "/portal", "Host: ops.example");

    for (String asset : new String[] {"plain.css", "mark.svg"}) {
      assertThat(page.body()).contains("/portal/assets/own/" + asset);
      assertThat(
              Wire.get(service.port(), "/portal/assets/own/" + asset, "Host: ops.example").status())
          .isEqualTo(200);
    }
  }

  @Test
  void host_thatIsMissingOrTwice_isNoDefect() {
    assertThat(RawRequest.send(service.port(), "GET /portal HTTP/1.0\r\n\r\n").status())
        .isIn(302, 403);
    assertThat(
            RawRequest.send(
                    service.port(), "GET /portal HTTP/1.1\r\nHost: localhost\r\nHost: x\r\n\r\n")
                .status())
        .isEqualTo(400);
  }

  @Test
  @SharedConfiguredService
  void trustedProxy_tellsTheScheme(TestService behind) {
    String host = "Host: ops.example";
    assertSaysSo(Wire.get(behind.port(), "/portal/sign-in", host));
    assertSaysSo(Wire.get(behind.port(), "/portal/sign-in", host, "X-Forwarded-Proto: http"));
    assertThat(
            Wire.get(behind.port(), "/portal/sign-in", host, "X-Forwarded-Proto: https, http")
                .status())
        .isEqualTo(400);
    String chain = "X-Forwarded-For: 198.51.100.7, 127.0.0.1";
    assertThat(
            Wire.get(
                    behind.port(), "/portal/sign-in", host, chain, "X-Forwarded-Proto: https, http")
                .status())
        .isEqualTo(200);
    assertSaysSo(
        Wire.get(behind.port(), "/portal/sign-in", host, chain, "X-Forwarded-Proto: http, https"));
    assertThat(
            Wire.get(behind.port(), "/portal/sign-in", host, "X-Forwarded-Proto: https").status())
        .isEqualTo(200);
    RawResponse broken =
        Wire.get(behind.port(), "/portal/sign-in", host, "X-Forwarded-Proto: gopher");
    assertThat(broken.status()).isEqualTo(400);
    HeadersTest.assertHardenedAndNotStored(broken);
  }
}
