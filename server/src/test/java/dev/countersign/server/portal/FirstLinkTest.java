package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.TestOperators;
import dev.countersign.server.store.Database;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The link that creates the first administrator: once, for an hour, and only while there is none.
 */
@SharedConfiguredService
class FirstLinkTest {
  private TestService service;

  @BeforeEach
  void removeAllAccounts(TestService shared) {
    service = shared;
    TestOperators.removeAll(service);
  }

  private static String token(String link) {
    return link.substring(link.indexOf('#') + 1);
  }

  private PortalClient.Answer redeem(String token) {
    return PortalClient.stranger(service)
        .post(
            "/setup",
            Map.of(
                "token",
                token,
                "name",
                "alice",
                "password",
                PortalClient.PASSWORD,
                "again",
                PortalClient.PASSWORD));
  }

  private void pass(Duration time) {
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("UPDATE operator_links SET expires_at = expires_at - ?")
                    .param(time.toMillis())
                    .update());
  }

  @Test
  void token_isInTheFragmentAlone() {
    assertThat(service.firstLink()).matches("http://localhost:\\d+/portal/setup#[A-Za-z0-9_-]{43}");
  }

  @Test
  void link_within59Minutes_isGood() {
    String token = token(service.firstLink());
    pass(Duration.ofMinutes(59));

    redeem(token).expect(302);
  }

  @Test
  void link_afterAnHour_isNot() {
    String token = token(service.firstLink());
    pass(Duration.ofMinutes(60));

    redeem(token).expect(422);
  }

  @Test
  void link_replacedByALaterStart_isNot() {
    String first = token(service.firstLink());
    String second = token(service.firstLink());

    redeem(first).expect(422);
    redeem(second).expect(302);
  }

  @Test
  void link_onceSomebodyHasAnAccount_isMadeNoMore() {
    String token = token(service.firstLink());
    redeem(token).expect(302);

    redeem(token).expect(422);
    assertThatThrownBy(service::firstLink).isInstanceOf(NoSuchElementException.class);
    assertThat(PortalClient.stranger(service).get("/sign-in").body())
        .doesNotContain("Nobody has an account yet");
  }

  @Test
  void setup_withoutALink_makesNobody() {
    for (String token : new String[] {"", "x", "null", "x".repeat(43)}) {
      redeem(token).expect(422);
    }
    assertThat(
            PortalClient.stranger(service)
                .with("X-Forwarded-For", "192.0.2.202")
                .signIn("alice", PortalClient.PASSWORD)
                .header("location"))
        .isEqualTo("/portal/sign-in?refused");
  }

  @Test
  void passwords_thereIsNoDefaultOne() {
    for (String name : new String[] {"admin", "administrator", "root", "countersign", ""}) {
      for (String password : new String[] {"", name, "password", "changeit", "admin"}) {
        PortalClient guesser =
            PortalClient.stranger(service).with("X-Forwarded-For", "192.0.2.203");
        assertThat(guesser.signIn(name, password).header("location"))
            .matches("/portal/sign-in\\?(refused|wait=\\d+)");
      }
    }
  }
}
