package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sign-in with OpenID Connect behind a trusted proxy. Each test has its own address. */
class OpenIdLimitsTest {
  private static OpenIdTestProvider provider;
  private static TestService service;

  @BeforeAll
  static void start() {
    provider = OpenIdTestProvider.shared();
    service = provider.service();
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
