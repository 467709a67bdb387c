package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The portal on its own port and address, so that it does not have to be reachable from the
 * internet.
 */
class OwnPortTest {
  private static TestService service;
  private static TestClient client;
  private static PortalClient administrator;
  private static int portalPort;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, 3, "countersign.portal.port=0");
    client = service.register();
    administrator = PortalClient.administrator(service);
    portalPort = URI.create(service.portalUrl()).getPort();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** This port has no log of requests, so the page itself says what is wrong. */
  @Test
  void portalsPort_refusesAHostWithTheFix() {
    RawResponse answer =
        RawRequest.send(
            portalPort, "GET /portal HTTP/1.1\r\nHost: ops_host\r\nConnection: close\r\n\r\n");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("content-type")).isEqualToIgnoringCase("text/plain;charset=UTF-8");
    assertThat(answer.body())
        .startsWith("the Host header is refused: the host \"ops_host\" has the character \"_\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/portal",
        "/portal/",
        "/portal/sign-in",
        "/portal/setup",
        "/portal/assets/own/portal.js",
        "/portal/listings",
        "/%70ortal",
        "/portal;x",
        "//portal",
      })
  void apisPort_knowsNoPortal(String path) {
    assertThat(service.port()).isNotEqualTo(portalPort);
    RawResponse stranger = Wire.get(service.port(), path, Wire.cookies(administrator));
    assertThat(stranger.status()).isEqualTo(401);
    assertThat(stranger.reason()).isEqualTo("signature_missing");
    RawResponse signed = client.get(path).send();
    assertThat(signed.status()).isEqualTo(404);
    assertThat(signed.reason()).isEqualTo("not_found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/ledger/v1/wallets",
        "/portal/../ledger/v1/wallets",
        "/actuator/health",
        "/actuator/env",
        "/error",
        "/favicon.ico",
        "/portals",
        "/PORTAL",
        "/WEB-INF/web.xml",
        "/index.jsp",
      })
  void portalsPort_hasNothingButThePortal(String path) {
    RawResponse answer = Wire.get(portalPort, path, Wire.cookies(administrator));

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).doesNotContainIgnoringCase("tomcat", "exception", "wallets");
    assertThat(answer.headers()).doesNotContainKeys("server", "set-cookie");
  }

  @Test
  void portalsPort_takesNoSignature() {
    RawResponse answer = client.get("/ledger/v1/wallets").with("Host", "localhost").send();
    assertThat(answer.status()).as("signed for another host").isEqualTo(401);

    String[] signed =
        client.get("/ledger/v1/wallets").headers().entrySet().stream()
            .filter(header -> !header.getKey().equals("Host"))
            .map(header -> header.getKey() + ": " + header.getValue())
            .toArray(String[]::new);
    assertThat(Wire.get(portalPort, "/ledger/v1/wallets", signed).status()).isEqualTo(404);
    assertThat(Wire.get(portalPort, "/portal/listings", signed).status()).isEqualTo(302);
  }

  @Test
  void portalsPort_servesThePortalHardened() {
    assertThat(administrator.get("/listings").status()).isEqualTo(200);
    for (String path : new String[] {"/portal/listings", "/portal/nothing", "/portal/x;y"}) {
      HeadersTest.assertHardenedAndNotStored(
          Wire.get(portalPort, path, Wire.cookies(administrator)));
    }
  }

  @Test
  void portalsPort_cannotReadTheRequest_saysNothingOfItself() {
    RawResponse answer = RawRequest.send(portalPort, "GET /portal\u0001 HTTP/1.1\r\n\r\n");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).doesNotContainIgnoringCase("tomcat", "exception", "coyote");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /portal/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /portal/sign-in HTTP/1.0\r\nHost: localhost\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET http://admin@localhost/portal/sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n",
      })
  void portalsPort_requestThatHttpForbids_isRefusedAndTheConnectionClosed(String request) {
    RawResponse answer = RawRequest.send(portalPort, request);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("connection")).isEqualTo("close");
    assertThat(answer.body()).doesNotContainIgnoringCase("tomcat", "exception", "portal");
  }

  @Test
  @Tag("full")
  void address_isTheOnlyOneThatListens(@TempDir Path data) throws Exception {
    try (TestService bound =
        TestService.start(
            data, 3, "countersign.portal.port=0", "countersign.portal.address=127.0.0.2")) {
      int port = URI.create(bound.portalUrl()).getPort();

      new Socket(InetAddress.getByName("127.0.0.2"), port).close();
      assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.1"), port))
          .isInstanceOf(ConnectException.class);
      assertThatThrownBy(() -> new Socket(InetAddress.getByName("::1"), port))
          .isInstanceOf(ConnectException.class);
    }
  }
}
