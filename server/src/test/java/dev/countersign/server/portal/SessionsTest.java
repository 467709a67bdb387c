package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a sign-in lasts, and what ends it. The test moves the rows back to simulate time. */
@SharedConfiguredService
class SessionsTest {
  private TestService service;
  private PortalClient administrator;
  private PortalClient client;

  @BeforeEach
  void enter(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
    client = PortalClient.viewer(service);
    assertThat(isSignedIn()).isTrue();
  }

  private boolean isSignedIn() {
    return client.get("/listings").status() == 200;
  }

  private void pass(Duration time) {
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql(
                        "UPDATE operator_sessions SET started_at = started_at - :t,"
                            + " last_active_at = last_active_at - :t")
                    .param("t", time.toMillis())
                    .update());
  }

  @Test
  void session_untouchedForTheIdleLimit_ends() {
    pass(Duration.ofMinutes(9));
    assertThat(isSignedIn()).isTrue();
    pass(Duration.ofMinutes(9));
    assertThat(isSignedIn()).isTrue();
    pass(Duration.ofMinutes(10));
    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void session_usedAllTheTime_endsAtTheLimit() {
    for (int i = 0; i < 6; i++) {
      assertThat(isSignedIn()).isTrue();
      pass(Duration.ofMinutes(9));
    }
    assertThat(isSignedIn()).isTrue();
    pass(Duration.ofMinutes(6));
    assertThat(isSignedIn()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"/overview, 200", "/overview?period=DAY, 200", "/requests/live?path=/nowhere, 204"})
  void session_whereAPageOnlyPolls_ends(String path, int status) {
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofMinutes(2));
      assertThat(client.get(path).status()).isEqualTo(status);
    }
    pass(Duration.ofMinutes(2));
    assertThat(client.get(path).status()).isEqualTo(302);
    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void assets_keepNoSessionAlive() {
    pass(Duration.ofMinutes(8));
    assertThat(client.get("/assets/own/portal.js").status()).isEqualTo(200);
    pass(Duration.ofMinutes(3));

    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void account_disabled_isSignedOutWithItsNextRequest() {
    String id = client.id(service);

    administrator.post("/operators/" + id + "/disable", Map.of()).expect(302);

    assertThat(isSignedIn()).isFalse();
    assertThat(client.get("/overview").status()).isEqualTo(302);
    administrator.post("/operators/" + id + "/enable", Map.of()).expect(302);
    assertThat(isSignedIn()).as("the session stays ended").isFalse();
  }

  @Test
  void account_reset_isSignedOutWithItsNextRequest() {
    String id = client.id(service);

    administrator.post("/operators/" + id + "/reset", Map.of()).expect(200);

    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void role_takenAway_holdsForTheNextRequest() {
    OperatorStore operators = service.part(OperatorStore.class);
    String id = client.id(service);
    operators.changeRole(id, OperatorRole.ADMINISTRATOR);
    assertThat(client.get("/operators").status()).isEqualTo(200);

    operators.changeRole(id, OperatorRole.VIEWER);

    assertThat(client.get("/operators").status()).isEqualTo(403);
  }

  @Test
  void signOutEverywhere_endsTheOthersToo() {
    PortalClient elsewhere = client.elsewhere(service);

    elsewhere.post("/account/sign-out-everywhere", Map.of()).expect(302);

    assertThat(isSignedIn()).isFalse();
    assertThat(administrator.get("/listings").status()).isEqualTo(200);
  }

  @Test
  void signIn_givesANewTokenAndEndsTheOldOne() {
    String before = client.cookies().get(Wire.SESSION);
    PortalClient old = PortalClient.stranger(service);
    old.cookies().put(Wire.SESSION, before);
    String form = client.token();

    client.signedIn(client.name(), PortalClient.PASSWORD);

    assertThat(client.cookies().get(Wire.SESSION)).isNotEqualTo(before);
    assertThat(old.get("/listings").status()).isEqualTo(302);
    assertThat(isSignedIn()).isTrue();
    assertThat(client.postAsIs("/sign-out", Map.of("_csrf", form)).status())
        .as("a form from before the sign-in")
        .isEqualTo(403);
  }

  @Test
  void token_plantedBeforeASignIn_isNeverTakenOver() {
    String planted = "planted-by-somebody-who-waits-for-a-sign-in";
    PortalClient victim = PortalClient.stranger(service);
    victim.cookies().put(Wire.SESSION, planted);

    victim.signedIn(client.name(), PortalClient.PASSWORD);

    assertThat(victim.cookies().get(Wire.SESSION)).isNotEqualTo(planted).hasSize(43);
    PortalClient attacker = PortalClient.stranger(service);
    attacker.cookies().put(Wire.SESSION, planted);
    assertThat(attacker.get("/listings").status()).isEqualTo(302);
  }

  @Test
  void tokens_areAllDifferent() {
    assertThat(
            java.util.stream.Stream.generate(
                    () -> client.enter(service).cookies().get(Wire.SESSION))
                .limit(50)
                .distinct())
        .hasSize(50);
  }
}
