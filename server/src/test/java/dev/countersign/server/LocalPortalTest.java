package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.portal.ApiAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;

/** The portal without settings of its port: on loopback only, and without TLS. */
@ExtendWith(OutputCaptureExtension.class)
class LocalPortalTest {
  private static final String ANY_PORT = "server.port=0";

  @TempDir private Path data;

  @Test
  void portal_withoutSettings_listensOnLoopbackOnly() throws Exception {
    try (TestService service = TestService.startAsConfigured(data, 0, List.of(ANY_PORT))) {
      URI portal = URI.create(service.portalUrl());
      int api = URI.create(service.url()).getPort();
      assertThat(portal.getScheme()).isEqualTo("http");
      assertThat(portal.getHost()).isEqualTo("localhost");
      assertThat(portal.getPort()).isNotEqualTo(api);
      assertThat(service.firstLink()).startsWith(portal + "/setup#");

      assertThat(signIn(portal.getPort()).status()).isEqualTo(200);
      assertThat(signIn(api).reason()).isEqualTo("signature_missing");
      assertListens("127.0.0.1", portal.getPort());
      if (hasIpv6()) {
        assertListens("::1", portal.getPort());
      }
      assertThatThrownBy(() -> assertListens("127.0.0.2", portal.getPort()))
          .isInstanceOf(ConnectException.class);
    }
  }

  /** No certificate is valid for localhost. */
  @Test
  void portal_besideAnApiWithTls_hasNone() throws Exception {
    List<String> settings = new ArrayList<>(TestCertificate.make(data.resolve("tls")).settings());
    settings.add(ANY_PORT);
    try (TestService service = TestService.startAsConfigured(data.resolve("data"), 0, settings)) {
      URI portal = URI.create(service.portalUrl());
      assertThat(service.url()).startsWith("https://");
      assertThat(portal.getScheme()).isEqualTo("http");
      assertThat(signIn(portal.getPort()).status()).isEqualTo(200);
      assertThat(service.part(ApiAddress.class).baseUrl(new MockHttpServletRequest()))
          .as("the API, for examples")
          .isEqualTo(service.url());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"countersign.portal.port=0", "countersign.portal.address=127.0.0.1"})
  void portal_withASettingOfItsPort_keepsTls(String setting) throws Exception {
    TestCertificate certificate = TestCertificate.make(data.resolve("tls"));
    List<String> settings = new ArrayList<>(certificate.settings());
    settings.addAll(List.of(ANY_PORT, setting));
    try (TestService service = TestService.startAsConfigured(data.resolve("data"), 0, settings)) {
      URI portal = URI.create(service.portalUrl());
      assertThat(portal.getScheme()).isEqualTo("https");
      try (Socket socket =
          certificate.trusting().getSocketFactory().createSocket("127.0.0.1", portal.getPort())) {
        ((SSLSocket) socket).startHandshake();
      }
    }
  }

  @Test
  void port_thatIsTaken_stopsTheStartWithItsSetting() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertFails(
          "port "
              + taken.getLocalPort()
              + ", on which the portal listens, is in use; choose another one with portal.port",
          ANY_PORT,
          "countersign.portal.address=127.0.0.1",
          "countersign.portal.port=" + taken.getLocalPort());
    }
  }

  @Test
  void port_after65535_stopsTheStartWithItsSetting() {
    assertFails(
        "the portal would listen on port 65536, the one after that of the API; set portal.port",
        "server.port=65535");
  }

  @Test
  void address_thatIsNotOfThisMachine_stopsTheStartWithItsSetting() {
    assertFails(
        "see portal.port and portal.address", ANY_PORT, "countersign.portal.address=192.0.2.1");
  }

  @Test
  void port_takenByAnotherProgramOnIpv6_isWarnedOf(CapturedOutput output) throws Exception {
    assumeTrue(hasIpv6(), "this machine has no ::1");
    TestService service = null;
    try {
      // The portal may get another port than the one that is taken here.
      while (service == null) {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
          service = startBefore(other.getLocalPort());
          if (service != null) {
            assertThat(URI.create(service.portalUrl()).getPort()).isEqualTo(other.getLocalPort());
            assertThat(output)
                .contains("the portal does not listen on [::1]:" + other.getLocalPort());
            // The other program must not get the secret of the link.
            assertThat(service.firstLink()).startsWith("http://127.0.0.1:");
          }
        }
      }
    } finally {
      if (service != null) {
        service.close();
      }
    }
  }

  /** Starts a service whose portal has this port; returns null if the port before is taken. */
  private TestService startBefore(int port) {
    try {
      return TestService.startAsConfigured(data, 0, List.of("server.port=" + (port - 1)));
    } catch (CommandException inUse) {
      assertThat(inUse).hasMessageContaining("is in use");
      return null;
    }
  }

  private void assertFails(String message, String... settings) {
    assertThatThrownBy(() -> TestService.startAsConfigured(data, 0, List.of(settings)).close())
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  private static RawResponse signIn(int port) {
    return RawRequest.send(
        port,
        "GET /portal/sign-in HTTP/1.1\r\nHost: localhost:"
            + port
            + "\r\nConnection: close\r\n\r\n");
  }

  private static void assertListens(String address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(address), port));
    }
  }

  private static boolean hasIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
