package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two services on one PostgreSQL: either serves a sign-in, and either ends it. */
class TwoNodesTest {
  private static TestService one;
  private static TestService two;
  private static PortalClient administrator;

  @BeforeAll
  static void start(@TempDir Path folder) {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    String[] settings = {
      "spring.datasource.url=" + store.url(), "spring.datasource.username=postgres"
    };
    one = TestService.start(folder.resolve("one"), 3, settings);
    two = TestService.start(folder.resolve("two"), 0, settings);
    administrator = PortalClient.administrator(one);
    PortalClient.viewer(administrator, "vera");
  }

  @AfterAll
  static void stop() {
    if (two != null) {
      two.close();
    }
    if (one != null) {
      one.close();
    }
  }

  private static PortalClient at(TestService node, PortalClient client) {
    PortalClient same = PortalClient.stranger(node);
    same.cookies().putAll(client.cookies());
    return same;
  }

  @Test
  void session_ofOneNode_isServedByTheOtherUntilTheAccountIsDisabled() {
    PortalClient vera = Wire.enter(one, PortalClient.stranger(one), "vera");
    PortalClient elsewhere = at(two, vera);
    assertThat(elsewhere.get("/listings").status()).isEqualTo(200);
    String id = two.part(OperatorStore.class).named("vera").id();

    at(two, administrator).post("/operators/" + id + "/disable", Map.of()).expect(302);

    assertThat(vera.get("/listings").status()).isEqualTo(302);
    assertThat(elsewhere.get("/listings").status()).isEqualTo(302);
    administrator.post("/operators/" + id + "/enable", Map.of()).expect(302);
  }

  @Test
  void form_ofOneNode_isTakenByTheOther() {
    PortalClient here = Wire.enter(one, PortalClient.stranger(one), "vera");
    String token = here.token();

    at(two, here).postAsIs("/sign-out", Map.of("_csrf", token)).expect(302);

    assertThat(here.get("/listings").status()).isEqualTo(302);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/audit?text=%00",
        "/audit?author=a%00b&action=%00&subject=%00",
        "/audit?from=%00&to=0000-00-00",
        "/audit?text=%EF%BF%BF%F0%9F%98%80%E2%80%AE",
        "/audit/audit.csv?text=%00",
        "/audit/check?head=%00",
        "/listings/total?path=%00",
        "/operators/x%EF%BF%BF/removal",
        "/sign-in?to=%00",
      })
  void text_thatPostgresqlCannotKeep_isNoDefect(String path) {
    RawResponse answer = Wire.get(one.port(), "/portal" + path, Wire.cookies(administrator));

    assertThat(answer.status()).as(answer.body()).isBetween(200, 499);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name=%00&password=%00", "name=a%00b&password=x", "name=%EF%BF%BF"})
  void signIn_withTextThatPostgresqlCannotKeep_isRefused(String form) {
    PortalClient stranger = PortalClient.stranger(one);
    RawResponse answer =
        Wire.post(
            one.port(),
            "/portal/sign-in",
            form,
            "X-XSRF-TOKEN: " + stranger.token(),
            "User-Agent: \u00e9",
            Wire.cookies(stranger));

    assertThat(answer.header("location")).matches("/portal/sign-in\\?(refused|wait=\\d+)");
  }
}
