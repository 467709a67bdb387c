package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.signin.Bench.GOOD;
import static dev.countersign.server.operators.signin.Bench.address;
import static dev.countersign.server.operators.signin.Bench.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OpenIdIdentity;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.OperatorException.Reason;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.sessions.ExpiredRows;
import dev.countersign.server.operators.sessions.SessionActivity;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.store.purge.Purge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(TestStore.OF_THIS_RUN)
class OneTimeLinksTest extends BenchFixture {
  @Test
  void redeem_link_setsThePasswordOnce() {
    OneTimeLink link = bench.store.add("ada", OperatorRole.VIEWER);
    assertThat(link.token()).matches("[A-Za-z0-9_-]{43}");
    assertThat(link.at("https://x/portal")).isEqualTo("https://x/portal/setup#" + link.token());
    assertThat(bench.links.find(link.token()).orElseThrow().operator()).isEqualTo(link.operator());
    Operator ada = redeem(link.token(), GOOD);
    assertThat(ada.hasPassword()).isTrue();
    assertThat(bench.enter("ada").operator().id()).isEqualTo(ada.id());
    assertThat(bench.links.find(link.token())).isEmpty();
    assertThat(reason(() -> redeem(link.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.actions())
        .containsExactly("operator.added", "operator.password-set", "operator.signed-in");
  }

  @Test
  void redeem_afterAnHour_isRefused() {
    OneTimeLink link = bench.store.add("ada", OperatorRole.VIEWER);
    bench.clock.advance(Duration.ofMinutes(60).minusMillis(1));
    assertThat(bench.links.find(link.token())).isPresent();
    bench.clock.advance(Duration.ofMillis(1));
    assertThat(bench.links.find(link.token())).isEmpty();
    assertThat(reason(() -> redeem(link.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
  }

  @Test
  void redeem_passwordNotAllowed_leavesTheLinkGood() {
    OneTimeLink link = bench.store.add("ada lovelace", OperatorRole.VIEWER);
    for (String wrong : List.of("", "short", "password1234", "I am adaLovelace!")) {
      assertThat(reason(() -> redeem(link.token(), wrong))).isEqualTo(Reason.PASSWORD_REFUSED);
    }
    assertThat(redeem(link.token(), GOOD).hasPassword()).isTrue();
  }

  @Test
  void redeem_tokenThatNeverWas_costsNoHash() {
    assertThat(reason(() -> redeem("x", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.encoder.hashes()).isZero();
  }

  @Test
  void reset_again_replacesTheLink() {
    OneTimeLink first = bench.store.add("ada", OperatorRole.VIEWER);
    OneTimeLink second = bench.store.reset(first.operator().id());
    assertThat(reason(() -> redeem(first.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(redeem(second.token(), GOOD).hasPassword()).isTrue();
  }

  @Test
  void reset_untilTheLinkIsUsed_keepsTheOldPassword() {
    Operator ada = bench.operator("ada", OperatorRole.VIEWER);
    OneTimeLink link = bench.store.reset(ada.id());
    SignIn.SignedIn in = bench.enter("ada");
    String token = bench.sessions.start(in.operator(), address("192.0.2.1"), "").token();
    redeem(link.token(), "another long one");
    assertThat(bench.reason("ada", GOOD, "192.0.2.1")).isEqualTo(SignInException.Reason.REFUSED);
    assertThat(bench.sessions.find(token, SessionActivity.USER)).isEmpty();
    assertThat(bench.rows("operator_devices")).isZero();
  }

  @Test
  void disable_account_endsItsLink() {
    OneTimeLink link = bench.store.add("ada", OperatorRole.VIEWER);
    bench.store.disable(link.operator().id());
    assertThat(reason(() -> redeem(link.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
    bench.store.enable(link.operator().id());
    assertThat(reason(() -> redeem(link.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
  }

  @Test
  void redeem_onTwoNodesAtOnce_worksOnce() throws Exception {
    try (Database other = kind.open(data)) {
      Bench second = new Bench(other, bench.clock);
      for (int i = 0; i < 10; i++) {
        String token = bench.store.add("ada" + i, OperatorRole.VIEWER).token();
        assertThat(
                Bench.both(
                    () -> worked(() -> redeem(token, GOOD)),
                    () ->
                        worked(
                            () ->
                                second.links.redeem(
                                    token, "another long one", address("192.0.2.2")))))
            .containsExactlyInAnyOrder(true, false);
      }
    }
  }

  @Test
  void first_link_makesTheFirstAdministrator() {
    OneTimeLink link = bench.links.makeFirst("node-1").orElseThrow();
    assertThat(link.operator()).isNull();
    assertThat(bench.links.find(link.token()).orElseThrow().isFirst()).isTrue();
    assertThat(reason(() -> redeem(link.token(), GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(reason(() -> redeemFirst(link, "", GOOD))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> redeemFirst(link, "ada", "short"))).isEqualTo(Reason.PASSWORD_REFUSED);
    Operator ada = redeemFirst(link, "ada", GOOD);
    assertThat(ada.role()).isEqualTo(OperatorRole.ADMINISTRATOR);
    assertThat(bench.enter("ada").operator().id()).isEqualTo(ada.id());
    assertThat(reason(() -> redeemFirst(link, "mia", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.links.makeFirst("node-1")).isEmpty();
    assertThat(bench.column("author").getFirst()).isEqualTo("ada");
  }

  @Test
  void first_linkMadeAgain_replacesTheEarlierOne() {
    OneTimeLink first = bench.links.makeFirst("node-1").orElseThrow();
    OneTimeLink second = bench.links.makeFirst("node-1").orElseThrow();
    assertThat(bench.rows("operator_links")).isEqualTo(1);
    assertThat(reason(() -> redeemFirst(first, "ada", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(redeemFirst(second, "ada", GOOD).isAdministrator()).isTrue();
  }

  @Test
  void first_linksOfTwoNodes_areBothGoodUntilOneIsUsed() {
    OneTimeLink first = bench.links.makeFirst("node-1").orElseThrow();
    OneTimeLink second = bench.links.makeFirst("node-2").orElseThrow();
    assertThat(bench.links.find(first.token())).isPresent();
    assertThat(redeemFirst(second, "ada", GOOD).isAdministrator()).isTrue();
    assertThat(bench.links.find(first.token())).isEmpty();
    assertThat(reason(() -> redeemFirst(first, "mia", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.rows("operator_links")).isZero();
  }

  @Test
  void first_linkOfANodeThatIsGone_isDeletedWhenItHasExpired() {
    bench.links.makeFirst("node-1").orElseThrow();
    bench.clock.advance(Duration.ofHours(1));
    bench.links.makeFirst("node-2").orElseThrow();
    new ExpiredRows(
            new Purge(database, Purge.Lease.withRandomNode("sessions"), () -> true, bench.clock),
            database.dialect(),
            bench.sessions)
        .run(() -> false);
    assertThat(bench.rows("operator_links")).isEqualTo(1);
  }

  @Test
  void first_linkAfterAnAccountWasAdded_isRefused() {
    OneTimeLink link = bench.links.makeFirst("node-1").orElseThrow();
    bench.store.remove(bench.store.add("ada", OperatorRole.ADMINISTRATOR).operator().id());
    assertThat(reason(() -> redeemFirst(link, "mia", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.links.makeFirst("node-1")).isEmpty();
    assertThat(bench.rows("operator_links")).isZero();
  }

  @Test
  void first_linkAfterAViewerSignedInByOpenId_staysGood() {
    OneTimeLink link = bench.links.makeFirst("node-1").orElseThrow();
    openId("sub-1", OperatorRole.VIEWER);
    assertThat(bench.links.needsFirstAdministrator()).isTrue();
    assertThat(redeemFirst(link, "ada", GOOD).isAdministrator()).isTrue();
    assertThat(bench.links.needsFirstAdministrator()).isFalse();
    assertThat(bench.links.makeFirst("node-1")).isEmpty();
  }

  @Test
  void first_linkAfterAnAdministratorSignedInByOpenId_isRefused() {
    OneTimeLink link = bench.links.makeFirst("node-1").orElseThrow();
    Operator ada = openId("sub-1", OperatorRole.ADMINISTRATOR);
    assertThat(bench.links.needsFirstAdministrator()).isFalse();
    assertThat(reason(() -> redeemFirst(link, "mia", GOOD))).isEqualTo(Reason.LINK_INVALID);
    assertThat(bench.links.makeFirst("node-1")).isEmpty();
    bench.store.disable(ada.id());
    assertThat(bench.links.makeFirst("node-1")).isPresent();
  }

  private Operator openId(String subject, OperatorRole role) {
    return bench.openId.signIn(
        new OpenIdIdentity("https://id.example", subject, subject), role, address("192.0.2.1"));
  }

  @Test
  void first_linkOnTwoNodesAtOnce_makesOneAdministrator() throws Exception {
    try (Database other = kind.open(data)) {
      Bench second = new Bench(other, bench.clock);
      OneTimeLink link = bench.links.makeFirst("node-1").orElseThrow();
      assertThat(
              Bench.both(
                  () -> worked(() -> redeemFirst(link, "ada", GOOD)),
                  () ->
                      worked(
                          () ->
                              second.links.redeemFirst(
                                  link.token(), "bob", GOOD, address("192.0.2.2")))))
          .containsExactlyInAnyOrder(true, false);
      assertThat(bench.store.list()).hasSize(1);
    }
  }

  private Operator redeem(String token, String password) {
    return bench.links.redeem(token, password, address("192.0.2.1"));
  }

  private Operator redeemFirst(OneTimeLink link, String name, String password) {
    return bench.links.redeemFirst(link.token(), name, password, address("192.0.2.1"));
  }

  private static boolean worked(Runnable redemption) {
    try {
      redemption.run();
      return true;
    } catch (OperatorException e) {
      assertThat(e.reason()).isEqualTo(Reason.LINK_INVALID);
      return false;
    }
  }
}
