package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.TestOperators;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From the first start to the first page, over a socket. */
@SharedConfiguredService
class PortalSignInTest {
  @Test
  void stranger_asksForAPage_isSentToTheSignIn(TestService service) {
    PortalClient.Answer answer = PortalClient.stranger(service).get("/listings?x=1");

    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.header("location"))
        .isEqualTo("/portal/sign-in?to=%2Fportal%2Flistings%3Fx%3D1");
  }

  @Test
  void firstLink_makesTheFirstAdministrator_once(TestService service) {
    TestOperators.removeAll(service);
    String link = service.firstLink();
    PortalClient first = PortalClient.stranger(service);
    String token = link.substring(link.indexOf('#') + 1);
    Map<String, String> form =
        Map.of(
            "token",
            token,
            "name",
            "zoe",
            "password",
            "a long pass phrase",
            "again",
            "a long pass phrase");

    assertThat(first.post("/setup", form).status()).isEqualTo(302);
    assertThat(first.post("/setup", form).status()).isEqualTo(422);
    assertThat(first.signedIn("zoe", "a long pass phrase").get("/operators").body())
        .contains("zoe");
  }

  @Test
  void signIn_wrongPassword_saysNoMoreThanThat(TestService service, PortalClient alice) {
    PortalClient stranger = PortalClient.stranger(service).with("X-Forwarded-For", "192.0.2.204");

    PortalClient.Answer known = stranger.signIn(alice.name(), "wrong");
    PortalClient.Answer unknown = stranger.signIn("nobody", "wrong");

    assertThat(known.header("location")).isEqualTo("/portal/sign-in?refused");
    assertThat(unknown.header("location")).isEqualTo(known.header("location"));
  }

  @Test
  void signOut_endsTheSession(PortalClient client) {
    Map<String, String> before = Map.copyOf(client.cookies());

    client.post("/sign-out", Map.of()).expect(302);
    client.cookies().putAll(before);

    assertThat(client.get("/listings").status()).isEqualTo(302);
  }
}
