package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.signin.Bench.GOOD;
import static dev.countersign.server.operators.signin.Bench.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OpenIdIdentity;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.signin.SignIn.Surroundings;
import dev.countersign.server.operators.signin.SignInException.Reason;
import dev.countersign.server.store.TestStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(TestStore.OF_THIS_RUN)
class SignInTest extends BenchFixture {
  @Test
  void password_right_signsInAndIsAudited() {
    Operator ada = bench.operator("Ada", OperatorRole.ADMINISTRATOR);
    SignIn.SignedIn in = bench.signIn.password(" aDA ", GOOD, address("192.0.2.7"), null);
    assertThat(in.operator().id()).isEqualTo(ada.id());
    assertThat(in.operator().lastSignInAt()).isEqualTo(bench.clock.instant());
    assertThat(in.deviceToken()).matches("[A-Za-z0-9_-]{43}");
    assertThat(bench.actions().getLast()).isEqualTo("operator.signed-in");
    assertThat(bench.column("author").getLast()).isEqualTo("Ada");
    assertThat(bench.column("address").getLast()).isEqualTo("192.0.2.7");
  }

  @Test
  void password_sameCharactersTypedInAnotherWay_isTheSame() {
    OneTimeLink link = bench.store.add("ada", OperatorRole.VIEWER);
    bench.links.redeem(link.token(), "caf\u00e9 au lait ﬁne", address("192.0.2.1"));
    assertThat(
            bench
                .signIn
                .password("ada", "cafe\u0301 au lait fine", address("192.0.2.1"), null)
                .operator()
                .name())
        .isEqualTo("ada");
  }

  @Test
  void refusals_whateverTheReason_areTheSameAndCostOneHash() {
    bench.operator("root", OperatorRole.ADMINISTRATOR);
    bench.operator("ada", OperatorRole.VIEWER);
    bench.store.disable(bench.operator("off", OperatorRole.VIEWER).id());
    bench.store.remove(bench.operator("gone", OperatorRole.VIEWER).id());
    bench.store.add("new", OperatorRole.VIEWER);
    bench.openId.signIn(
        new OpenIdIdentity("https://id", "7", "sso"), OperatorRole.VIEWER, address("192.0.2.1"));
    String wrong = "wrong " + GOOD;
    List<String[]> attempts =
        List.of(
            new String[] {"ada", wrong},
            new String[] {"ada", ""},
            new String[] {"ada", "x".repeat(5_000)},
            new String[] {"nobody", GOOD},
            new String[] {"no\u0000body\ud800", GOOD},
            new String[] {"", GOOD},
            new String[] {"n".repeat(5_000), GOOD},
            new String[] {"off", GOOD},
            new String[] {"gone", GOOD},
            new String[] {"new", GOOD},
            new String[] {"sso", GOOD});
    int i = 0;
    for (String[] attempt : attempts) {
      bench.encoder.reset();
      SignInException refused = bench.refused(attempt[0], attempt[1], "198.51.100." + i++, null);
      assertThat(refused.reason()).isEqualTo(Reason.REFUSED);
      assertThat(refused).hasMessage("the name or the password is wrong");
      assertThat(refused.retryAfter()).isZero();
      assertThat(bench.encoder.comparisons()).as(attempt[0]).isEqualTo(1);
    }
  }

  @Test
  void attempts_fromOneAddressOnOneName_waitLongerEachTime() {
    bench.operator("ada", OperatorRole.VIEWER);
    for (String name : List.of("ada", "nobody")) {
      String from = name.equals("ada") ? "198.51.100.1" : "198.51.100.2";
      fail(name, from, 5);
      for (long wait : new long[] {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900}) {
        bench.encoder.reset();
        SignInException slowed = bench.refused(name, "wrong password", from, null);
        assertThat(slowed.reason()).isEqualTo(Reason.SLOWED);
        assertThat(slowed.retryAfter()).isEqualTo(Duration.ofSeconds(wait));
        assertThat(bench.encoder.comparisons()).isZero();
        bench.clock.advance(Duration.ofSeconds(wait).minusMillis(1));
        assertThat(bench.reason(name, "wrong password", from)).isEqualTo(Reason.SLOWED);
        bench.clock.advance(Duration.ofMillis(1));
        assertThat(bench.reason(name, "wrong password", from)).isEqualTo(Reason.REFUSED);
      }
    }
  }

  @Test
  void attempts_slowedOnOneName_leaveOthersAndOtherAddressesAlone() {
    bench.operator("ada", OperatorRole.VIEWER);
    bench.operator("bob", OperatorRole.VIEWER);
    fail("ada", "198.51.100.1", 5);
    assertThat(bench.reason("ada", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
    assertThat(bench.reason("ADA", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
    assertThat(enter("bob", "198.51.100.1", null)).isNotNull();
    assertThat(enter("ada", "198.51.100.2", null)).isNotNull();
  }

  @Test
  void attempts_afterASuccess_beginAnew() {
    bench.operator("ada", OperatorRole.VIEWER);
    fail("ada", "198.51.100.1", 4);
    enter("ada", "198.51.100.1", null);
    fail("ada", "198.51.100.1", 5);
    assertThat(bench.reason("ada", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
    bench.clock.advance(Duration.ofHours(2));
    fail("ada", "198.51.100.1", 5);
  }

  @Test
  void attempts_fromOneAddressOnManyNames_areSlowed() {
    bench.operator("ada", OperatorRole.VIEWER);
    for (int i = 0; i < 20; i++) {
      assertThat(bench.reason("name" + i, GOOD, "198.51.100.1")).isEqualTo(Reason.REFUSED);
    }
    assertThat(bench.reason("ada", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
    assertThat(enter("ada", "198.51.100.2", null)).isNotNull();
    // Signing in to your own account does not compensate for guessing at others.
    bench.clock.advance(Duration.ofSeconds(1));
    enter("ada", "198.51.100.1", null);
    assertThat(bench.reason("bob", GOOD, "198.51.100.1")).isEqualTo(Reason.REFUSED);
    assertThat(bench.reason("ada", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
  }

  @Test
  void attempts_fromOneIpv6Network_countAsOneAddress() {
    for (int i = 0; i < 5; i++) {
      assertThat(bench.reason("ada", GOOD, "2001:db8:0:1::" + i)).isEqualTo(Reason.REFUSED);
    }
    assertThat(bench.reason("ada", GOOD, "2001:db8:0:1:ffff::9")).isEqualTo(Reason.SLOWED);
    assertThat(bench.reason("ada", GOOD, "2001:db8:0:2::1")).isEqualTo(Reason.REFUSED);
  }

  @Test
  void attempts_fromManyAddressesOnOneName_areDelayedAndNeverRefused() {
    bench.operator("ada", OperatorRole.VIEWER);
    for (int i = 0; i < 50; i++) {
      assertThat(bench.reason("ada", "wrong password", "10.0.0." + i)).isEqualTo(Reason.REFUSED);
    }
    assertThat(bench.slept).isEmpty();
    assertThat(bench.reason("ada", "wrong password", "10.0.1.1")).isEqualTo(Reason.REFUSED);
    assertThat(bench.slept).containsExactly(Duration.ofSeconds(2));
    assertThat(enter("ada", "10.0.2.1", null)).isNotNull();
    assertThat(bench.slept).hasSize(2);
    bench.clock.advance(Duration.ofMinutes(61));
    enter("ada", "10.0.2.1", null);
    assertThat(bench.slept).hasSize(2);
  }

  @Test
  void knownDevice_whileStrangersGuess_isNeitherSlowedNorDelayed() {
    bench.operator("ada", OperatorRole.VIEWER);
    String device = enter("ada", "198.51.100.1", null).deviceToken();
    fail("ada", "198.51.100.1", 5);
    for (int i = 0; i < 60; i++) {
      bench.reason("ada", "wrong password", "10.0.0." + i);
    }
    bench.slept.clear();
    assertThat(bench.reason("ada", GOOD, "198.51.100.1")).isEqualTo(Reason.SLOWED);
    assertThat(enter("ada", "198.51.100.1", device)).isNotNull();
    assertThat(bench.slept).isEmpty();
  }

  @Test
  void knownDevice_thatGuesses_isSlowedByItselfAlone() {
    bench.operator("ada", OperatorRole.VIEWER);
    String device = enter("ada", "198.51.100.1", null).deviceToken();
    for (int i = 0; i < 5; i++) {
      assertThat(bench.refused("ada", "wrong password", "10.0.0." + i, device).reason())
          .isEqualTo(Reason.REFUSED);
    }
    assertThat(bench.refused("ada", GOOD, "10.0.1.1", device).reason()).isEqualTo(Reason.SLOWED);
    assertThat(enter("ada", "10.0.0.1", null)).isNotNull();
  }

  @Test
  void deviceToken_ofAnotherAccountOrTooOldOrUsed_isThatOfAStranger() {
    bench.operator("ada", OperatorRole.VIEWER);
    bench.operator("bob", OperatorRole.VIEWER);
    String ofBob = enter("bob", "198.51.100.9", null).deviceToken();
    String ofAda = enter("ada", "198.51.100.9", null).deviceToken();
    String next = enter("ada", "198.51.100.9", ofAda).deviceToken();
    fail("ada", "198.51.100.1", 5);
    for (String device : new String[] {ofBob, ofAda, "", "x".repeat(9_000)}) {
      assertThat(bench.refused("ada", GOOD, "198.51.100.1", device).reason())
          .isEqualTo(Reason.SLOWED);
    }
    bench.clock.advance(SignIn.DEVICE_LIFETIME);
    fail("ada", "198.51.100.1", 5);
    assertThat(bench.refused("ada", GOOD, "198.51.100.1", next).reason()).isEqualTo(Reason.SLOWED);
  }

  @Test
  void devices_ofOneAccount_areBounded() {
    bench.operator("ada", OperatorRole.VIEWER);
    for (int i = 0; i < 25; i++) {
      enter("ada", "198.51.100.1", null);
      bench.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(bench.rows("operator_devices")).isEqualTo(20);
  }

  @Test
  void refusals_ofOneAccount_areAuditedAtOnceAndThenOnceAnHour() {
    bench.operator("ada", OperatorRole.VIEWER);
    int before = bench.actions().size();
    for (int i = 0; i < 4; i++) {
      bench.reason("ada", "wrong password", "10.0.0." + i);
      bench.reason("secret typed as name " + i, "wrong password", "10.0.0." + i);
    }
    assertThat(bench.actions().subList(before, before + 2))
        .containsOnly("operator.sign-in-refused");
    assertThat(bench.actions()).hasSize(before + 2);
    assertThat(bench.column("subject").subList(before, before + 2))
        .containsExactly("operator:ada", "operator:unknown");
    for (int i = 0; i < 59; i++) {
      bench.clock.advance(Duration.ofMinutes(1));
      bench.reason("ada", "wrong password", "10.0.1." + i);
    }
    assertThat(bench.actions()).hasSize(before + 2);
    bench.clock.advance(Duration.ofMinutes(1));
    bench.reason("ada", "wrong password", "10.0.0.9");
    assertThat(bench.actions()).hasSize(before + 3);
    assertThat(bench.column("after").getLast()).isEqualTo("{\"known\":true,\"refused\":63}");
    assertThat(bench.column("address").getLast()).isEqualTo("10.0.0.9");
    assertThat(String.join(" ", bench.column("subject"))).doesNotContain("secret");
  }

  @Test
  void password_changedWhileItIsChecked_doesNotSignIn() {
    Operator ada = bench.operator("ada", OperatorRole.VIEWER);
    OneTimeLink link = bench.store.reset(ada.id());
    bench.encoder.meanwhile(
        () -> bench.links.redeem(link.token(), "another long one", address("192.0.2.1")));
    assertThat(bench.reason("ada", GOOD, "192.0.2.1")).isEqualTo(Reason.REFUSED);
    assertThat(bench.rows("operator_devices")).isZero();
  }

  @Test
  void password_whileTooManyAreChecked_isBusyAndNotCounted() {
    bench.operator("ada", OperatorRole.VIEWER);
    Passwords full =
        new Passwords(bench.encoder, new PasswordHashLimiter(0, 0, Duration.ZERO), bench.random);
    SignIn busy =
        new SignIn(
            database,
            bench.audit,
            full,
            bench.clock,
            bench.random,
            new Surroundings(Runnable::run, bench.slept::add));
    int entries = bench.actions().size();
    for (int i = 0; i < 100; i++) {
      SignInException refused =
          catchThrowableOfType(
              SignInException.class, () -> busy.password("ada", GOOD, address("192.0.2.1"), null));
      assertThat(refused.reason()).isEqualTo(Reason.BUSY);
      assertThat(refused.retryAfter()).isPositive();
    }
    assertThat(bench.slept).isEmpty();
    assertThat(bench.actions()).hasSize(entries);
  }

  private SignIn.SignedIn enter(String name, String from, String device) {
    return bench.signIn.password(name, GOOD, address(from), device);
  }

  private void fail(String name, String from, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(bench.reason(name, "wrong password", from)).isEqualTo(Reason.REFUSED);
    }
  }
}
