package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The destination of a sign-in is a page of the portal, whatever the link contains. */
@SharedConfiguredService
class DestinationTest {
  private static final AtomicInteger NEXT_ADDRESS = new AtomicInteger(1);

  private static TestService service;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "/portal@evil.example",
        "/portal.evil.example",
        "/portal//evil.example",
        "/portal\\evil.example",
        "/portal/../evil",
        "/portal/./../evil",
        "/portal/..",
        "/portal/.",
        "/portal/%2e%2e/evil",
        "/ledger/v1/wallets",
        "portal",
        "",
        " /portal/audit",
        "/portal/audit\r\nSet-Cookie: a=b",
        "/portal/audit?\r\nSet-Cookie: a=b",
        "/portal/audit?\u0000",
        "/portal/audit?\u0001\u001f\u007f",
        "/portal/audit?\u2028x",
        "/portal/audit?x={y}",
        "/portal/audit?x=${7*7}",
        "/portal/audit?x=\"><script>",
        "/portal/audit#x",
        "/portal\u0000",
        "/portal\t",
      })
  void destination_thatIsNoPageOfThePortal_isTheFirstPage(String to) {
    String query = "to=" + URLEncoder.encode(to, StandardCharsets.UTF_8);

    RawResponse signedIn =
        Wire.get(service.port(), "/portal/sign-in?" + query, Wire.cookies(administrator));
    assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(302);
    assertThat(signedIn.header("location")).isEqualTo("/portal");

    RawResponse asked = Wire.get(service.port(), "/portal/sign-in?" + query);
    assertThat(asked.status()).isEqualTo(200);
    assertThat(asked.body()).contains("name=\"to\" value=\"/portal\"");

    PortalClient stranger = PortalClient.stranger(service);
    RawResponse refused =
        Wire.post(
            service.port(),
            "/portal/sign-in",
            query + "&name=&password=",
            "X-XSRF-TOKEN: " + stranger.token(),
            Wire.cookies(stranger),
            "X-Forwarded-For: 192.0.2." + NEXT_ADDRESS.getAndIncrement());
    assertThat(refused.header("location")).matches("/portal/sign-in\\?(refused|wait=\\d+)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/portal",
        "/portal/",
        "/portal/audit",
        "/portal/audit?text=a%20b&page=1",
        "/portal/audit?subject=client:cl-0123456789abcdefgh&to=/portal",
        "/portal/operators/a_b-c.d~e/removal",
      })
  void destination_thatIsAPageOfThePortal_isGoneTo(String to) {
    RawResponse answer =
        Wire.get(
            service.port(),
            "/portal/sign-in?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8),
            Wire.cookies(administrator));

    assertThat(answer.header("location")).isEqualTo(to);
  }
}
