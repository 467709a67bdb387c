package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in by OpenID Connect behind a trusted proxy. Each test has an address. */
class OpenidLimitsTest {
  @TempDir static Path data;
  private static OpenidTestProvider provider;
  private static TestService service;

  @BeforeAll
  static void start() {
    provider = new OpenidTestProvider();
    List<String> settings = new ArrayList<>(List.of(provider.settings()));
    settings.add("countersign.access.trusted-proxies=127.0.0.1,::1");
    service = TestService.start(data, 0, settings.toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    service.close();
    provider.close();
  }

  @Test
  void begin_moreThanTwentyInAMinute_mustWait() {
    for (int i = 0; i < 20; i++) {
      assertThat(begin(from("192.0.2.1"))).startsWith(provider.issuer());
    }
    assertThat(begin(from("192.0.2.1"))).matches("/portal/sign-in\\?wait=\\d+");
    assertThat(begin(from("192.0.2.2"))).startsWith(provider.issuer());
  }

  @Test
  void begin_behindAProxyThatSpeaksHttps_comesBackByHttps() {
    String https = service.portalUrl().replaceFirst("^http:", "https:");

    assertThat(begin(from("192.0.2.3").with("X-Forwarded-Proto", "https")))
        .contains("redirect_uri=" + https + "/openid/callback");
    assertThat(begin(from("192.0.2.3")))
        .contains("redirect_uri=" + service.portalUrl() + "/openid/callback");
  }

  private static PortalClient from(String address) {
    return PortalClient.stranger(service).with("X-Forwarded-For", address);
  }

  private static String begin(PortalClient browser) {
    return browser.get("/openid/begin/provider").expect(302).header("location");
  }
}
