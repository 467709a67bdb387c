package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API's filter and the portal's sign-in on one port: neither handles requests of the other. */
@SharedService
class PortalAccessTest {
  private static TestService service;
  private static TestClient client;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, TestClient registered, PortalClient signedIn) {
    service = shared;
    client = registered;
    administrator = signedIn;
  }

  /** The source of a response: all of the portal's have its policy, the API's never do. */
  private static boolean isByThePortal(RawResponse answer) {
    return !answer.header("content-security-policy").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/portal",
        "/portal/",
        "/portal/listings",
        "/portal/operators",
        "/%70ortal/listings",
        "/portal/%6cistings",
        "/%70%6f%72%74%61%6c/operators",
        "//portal/listings",
        "///portal//listings",
        "/portal;x/listings",
        "/portal;x=1/operators;y",
        "/;/portal/listings",
        "/./portal/listings",
        "/x/../portal/listings",
        "/ledger/v1/wallets/../../../portal/listings",
        "/%2e/portal/listings",
        "/x/%2e%2e/portal/listings",
        "/portal/.",
        "/portal/x/..",
        "/portal/../portal/listings",
      })
  void path_thatIsThePortals_isNotOpenedByASignature(String path) {
    RawResponse stranger = Wire.get(service.port(), path);
    RawResponse signed = client.get(path).send();

    for (RawResponse answer : new RawResponse[] {stranger, signed}) {
      assertThat(isByThePortal(answer)).as(path + " " + answer).isTrue();
      assertThat(answer.status()).isIn(302, 400);
      assertThat(answer.body()).doesNotContain("/ledger/v1/wallets", "Listings");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/portal/../ledger/v1/wallets",
        "/portal/..;/ledger/v1/wallets",
        "/portal/%2e%2e/ledger/v1/wallets",
        "/portal/x/../../ledger/v1/wallets",
        "/ledger/v1/wallets",
        "/ledger/v1/wallets?x=/portal",
        "/ledger/v1/wallets;/portal",
        "/PORTAL",
        "/Portal/listings",
        "/portal2",
        "/portals/listings",
        "/portal.html",
        "/%2fportal/listings",
        "/portal%2flistings",
        "/portal%5clistings",
        "/portal%00/listings",
        "/portal%3b/listings",
        "/%2570ortal/listings",
        "/x/portal/listings",
        "/actuator/health/../../ledger/v1/wallets",
        "/actuator/env",
      })
  void path_thatIsTheApis_isNotOpenedByASession(String path) {
    RawResponse answer = Wire.get(service.port(), path, Wire.cookies(administrator));

    assertThat(isByThePortal(answer)).as(path + " " + answer).isFalse();
    assertThat(answer.status()).isIn(400, 401);
    assertThat(answer.headers()).doesNotContainKey("set-cookie");
    assertThat(answer.reason()).isIn("signature_missing", "request_malformed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET http://localhost:%d/portal/listings HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
        "GET http://localhost:%d/x/../portal/listings HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
        "GET /portal/listings HTTP/1.0\r\nHost: localhost:%d\r\n\r\n",
        "GET /portal/listings?%d HTTP/1.0\r\n\r\n",
        "HEAD /portal/listings HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
        "OPTIONS /portal/listings HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
      })
  void requestLine_ofAnotherForm_isByThePortalAndClosed(String request) {
    RawResponse answer =
        RawRequest.send(service.port(), request.replace("%d", String.valueOf(service.port())));

    assertThat(isByThePortal(answer)).as(answer.toString()).isTrue();
    assertThat(answer.status()).isIn(302, 400, 403);
    assertThat(answer.body()).doesNotContain("/ledger/v1/wallets");
  }

  @Test
  void requestTarget_ofAnotherHost_isNotServed() {
    RawResponse answer =
        RawRequest.send(
            service.port(),
            "GET http://evil.example/portal/sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(answer.status()).isIn(400, 403);
  }

  @Test
  void session_andSignatureTogether_openEachItsOwnDoor() {
    String cookies = Wire.cookies(administrator).substring("Cookie: ".length());

    assertThat(client.get("/portal/listings").with("Cookie", cookies).send().status())
        .isEqualTo(200);
    RawResponse list = client.get("/ledger/v1/wallets").with("Cookie", cookies).send();
    assertThat(list.status()).isEqualTo(200);
    assertThat(isByThePortal(list)).isFalse();
    assertThat(
            client
                .get("/ledger/v1/wallets")
                .with("Cookie", cookies)
                .with("Signature", "sig=:AAAA:")
                .send()
                .status())
        .isEqualTo(401);
  }

  @Test
  void signedPost_toThePortal_isNoChangeThere() {
    RawResponse answer = client.post("/portal/operators", "{\"name\":\"eve\"}").send();

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).contains("The form is no longer valid");
  }
}
