package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestService;
import dev.countersign.server.operators.signin.AuthorizationRequestStore;
import dev.countersign.server.operators.signin.StoredAuthorizationRequest;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The requests, the storage and the refusals of an OpenID Connect sign-in, without a browser. */
class PortalOpenIdTest {
  private static OpenIdTestProvider provider;
  private static TestService service;

  @BeforeAll
  static void start() {
    provider = OpenIdTestProvider.shared();
    service = provider.service();
  }

  @Test
  void signInPage_withoutPasswords_hasTheLinkAlone() {
    String page = PortalClient.stranger(service).get("/sign-in").body();

    assertThat(page).contains("/portal/openid/begin/provider").doesNotContain("name=\"password\"");
  }

  @Test
  void signIn_byPassword_isNoWayIn() {
    PortalClient stranger = PortalClient.stranger(service);

    assertThat(stranger.postAsIs("/sign-in", Map.of("name", "ada", "password", "x")).status())
        .isIn(302, 403, 405);
    assertThat(stranger.get("/listings").status()).isEqualTo(302);
  }

  @Test
  void begin_sendsStateNonceAndProofKey_andTiesThemToTheBrowser() {
    PortalClient browser = PortalClient.stranger(service);

    String location = browser.get("/openid/begin/provider").expect(302).header("location");

    assertThat(location)
        .startsWith(provider.issuer() + "/oauth2/authorize?")
        .contains("response_type=code", "code_challenge_method=S256", "nonce=", "state=")
        .contains("client_id=" + OpenIdTestProvider.CLIENT_ID)
        .doesNotContain(OpenIdTestProvider.CLIENT_SECRET);
    assertThat(browser.cookies()).containsOnlyKeys("__Host-countersign-openid");
  }

  @Test
  void callback_inAnotherBrowser_isRefused() {
    PortalClient one = PortalClient.stranger(service);
    PortalClient other = PortalClient.stranger(service);
    String state = state(one.get("/openid/begin/provider").header("location"));
    other.get("/openid/begin/provider");

    PortalClient.Answer answer = other.get("/openid/callback?code=abc&state=" + state);

    assertThat(answer.header("location")).isEqualTo("/portal/sign-in?openid-failed");
    assertThat(other.cookies()).doesNotContainKey("__Host-countersign-session");
  }

  @Test
  void callback_withAStateNobodyHas_isRefused() {
    PortalClient browser = PortalClient.stranger(service);
    browser.get("/openid/begin/provider");

    assertThat(browser.get("/openid/callback?code=abc&state=made-up").header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");
  }

  @Test
  void callback_withAWrongCode_isRefused_andItsStateIsUsedUp() {
    PortalClient browser = PortalClient.stranger(service);
    String state = state(browser.get("/openid/begin/provider").header("location"));
    Map<String, String> before = Map.copyOf(browser.cookies());

    assertThat(browser.get("/openid/callback?code=wrong&state=" + state).header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");
    browser.cookies().putAll(before);
    assertThat(browser.get("/openid/callback?code=wrong&state=" + state).header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");
    assertThat(browser.get("/listings").status()).isEqualTo(302);
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void callback_withAnErrorOfTheCallersMaking_isNotRepeatedInTheLog(CapturedOutput log) {
    PortalClient browser = PortalClient.stranger(service);
    String state = state(browser.get("/openid/begin/provider").header("location"));

    assertThat(
            browser
                .get("/openid/callback?error=x%0AWARN+forged%1b&state=" + state)
                .header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");

    assertThat(log.getAll())
        .contains("a sign-in with OpenID Connect failed: unknown error")
        .doesNotContain("forged");
  }

  /** The failure of a sign-in that began here is logged even after many made-up callbacks. */
  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void callbacks_thatBelongToNoSignIn_areLoggedAtMostOnceAMinute(CapturedOutput log) {
    PortalClient browser = PortalClient.stranger(service).with("X-Forwarded-For", "192.0.2.9");
    for (int i = 0; i < 20; i++) {
      browser.get("/openid/callback?code=x&state=made-up").expect(302);
      browser.get("/openid/callback").expect(302);
    }
    String state = state(browser.get("/openid/begin/provider").header("location"));
    browser.get("/openid/callback?error=access_denied&state=" + state).expect(302);

    assertThat(log.getAll()).contains("a sign-in with OpenID Connect failed: access_denied");
    assertThat(
            log.getAll()
                .lines()
                .filter(line -> line.matches(".* failed: (authorization_request_|invalid_).*")))
        .hasSizeLessThan(20);
  }

  @Test
  @Tag("full")
  void begin_whileTheProviderIsOutOfReach_saysSo() {
    PortalClient browser = PortalClient.stranger(withoutProvider());

    assertThat(browser.get("/openid/begin/provider").header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");
  }

  @Test
  @Tag("full")
  @ExtendWith(OutputCaptureExtension.class)
  void callback_whileTheProviderIsOutOfReach_saysSo_andTheSignInStays(CapturedOutput log) {
    TestService withoutProvider = withoutProvider();
    AuthorizationRequestStore pending = withoutProvider.part(AuthorizationRequestStore.class);
    pending.save("state", "browser", new StoredAuthorizationRequest("nonce", "verifier", "/"));
    PortalClient browser = PortalClient.stranger(withoutProvider);
    browser.cookies().put("__Host-countersign-openid", "browser");

    assertThat(browser.get("/openid/callback?code=abc&state=state").header("location"))
        .isEqualTo("/portal/sign-in?openid-failed");

    assertThat(browser.cookies()).containsKey("__Host-countersign-openid");
    assertThat(pending.claim("state", "browser")).isPresent();
    assertThat(log.getAll()).contains("a sign-in with OpenID Connect failed: ");
  }

  /** A service whose provider cannot be reached. */
  private static TestService withoutProvider() {
    return TestService.shared(
        "countersign.portal.openid.issuer=http://localhost:9",
        "countersign.portal.openid.client-id=x",
        "countersign.portal.openid.client-secret=y",
        "countersign.portal.openid.viewers=all");
  }

  private static String state(String location) {
    return location.replaceAll(".*[?&]state=([^&]*).*", "$1");
  }
}
