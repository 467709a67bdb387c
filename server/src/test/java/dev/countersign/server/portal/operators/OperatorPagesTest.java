package dev.countersign.server.portal.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.portal.PortalClient;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of the operators asks before it gives or takes access, and names the effect. */
@SharedService
class OperatorPagesTest {
  private static final Pattern ONE_CLICK =
      Pattern.compile("<form[^>]*action=\"[^\"]*/operators/[^\"]*\"");

  private static TestService service;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
  }

  @Test
  void list_changesNothingByOneClick() {
    String id = PortalClient.viewer(service).id(service);

    String page = administrator.get("/operators").expect(200).body();

    assertThat(ONE_CLICK.matcher(page).find()).isFalse();
    assertThat(page)
        .contains(
            "/operators/" + id + "/role?role=ADMINISTRATOR",
            "/operators/" + id + "/reset",
            "/operators/" + id + "/disable",
            "/operators/" + id + "/removal");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "role?role=ADMINISTRATOR | An administrator can change everything",
        "role?role=VIEWER        | Viewers can change nothing",
        "reset                   | ends the operator's sessions immediately",
        "disable                 | ends the operator's sessions immediately and refuses every",
        "enable                  | can sign in again",
      })
  void change_isAskedForFirst_andItsEffectNamed(String change, String effect) {
    PortalClient subject = PortalClient.viewer(service);
    Operator before = operator(subject);

    String page = administrator.get("/operators/" + before.id() + "/" + change).expect(200).body();

    assertThat(page.replaceAll("\\s+", " "))
        .contains(effect, subject.name(), "1 session is running")
        .contains("/operators/" + before.id() + "/" + change.replaceAll("\\?.*", "") + "\"");
    assertThat(operator(subject)).isEqualTo(before);
    subject.get("/account").expect(200);
  }

  @Test
  void disable_afterTheQuestion_takesEffect() {
    PortalClient subject = PortalClient.viewer(service);
    String path = "/operators/" + subject.id(service) + "/disable";

    administrator.get(path).expect(200);
    administrator.post(path, Map.of()).expect(302);

    assertThat(operator(subject).status()).isEqualTo(Operator.Status.DISABLED);
    assertThat(administrator.get("/operators/" + subject.id(service) + "/enable").body())
        .contains("no session is running");
  }

  @Test
  void removal_ofANameWithTwoSpaces_isConfirmedAsABrowserShowsIt() {
    OperatorStore operators = service.part(OperatorStore.class);
    String id = operators.add("Two  Spaces", OperatorRole.VIEWER).operator().id();
    String path = "/operators/" + id + "/removal";

    administrator.post(path, Map.of("typed", "TwoSpaces")).expect(422);
    assertThat(operators.find(id)).isPresent();
    administrator.post(path, Map.of("typed", "Two Spaces")).expect(302);

    assertThat(operators.find(id)).isEmpty();
  }

  @Test
  void change_ofOnesOwnAccount_saysSo() {
    PortalClient own = PortalClient.administrator(service);
    String path = "/operators/" + own.id(service);

    for (String change : new String[] {"/disable", "/role?role=VIEWER"}) {
      assertThat(own.get(path + change).body().replaceAll("\\s+", " "))
          .contains("This is your own account.");
    }
    assertThat(administrator.get(path + "/disable").body()).doesNotContain("your own account");
  }

  @Test
  void question_isForAdministrators_andForOperatorsThatExist() {
    PortalClient viewer = PortalClient.viewer(service);
    String path = "/operators/" + viewer.id(service);

    for (String change : new String[] {"/role?role=ADMINISTRATOR", "/reset", "/disable"}) {
      viewer.get(path + change).expect(403);
      administrator.get("/operators/op-none" + change).expect(404);
    }
    administrator.get(path + "/role?role=KING").expect(400);
  }

  @Test
  void signOutEverywhere_isAskedForFirst() {
    PortalClient viewer = PortalClient.viewer(service);
    viewer.elsewhere(service);

    assertThat(viewer.get("/account").expect(200).body())
        .doesNotContain("<form method=\"post\" action=\"/portal/account");
    assertThat(viewer.get("/account/sign-out-everywhere").expect(200).body())
        .contains("ends all your sessions", "2 sessions are running");
    viewer.get("/account").expect(200);
  }

  private static Operator operator(PortalClient client) {
    return service.part(OperatorStore.class).named(client.name());
  }
}
