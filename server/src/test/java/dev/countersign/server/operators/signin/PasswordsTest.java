package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.signin.Bench.GOOD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.OperatorException.Reason;
import dev.countersign.server.operators.signin.PasswordHashLimiter.Lane;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordsTest {

  @Test
  void argon2id_parameters_areThoseOfOwasp() {
    Passwords passwords = Passwords.argon2id(new SecureRandom());
    String hash = passwords.hash(GOOD).orElseThrow();
    assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
    assertThat(passwords.hash(GOOD).orElseThrow()).isNotEqualTo(hash);
    assertThat(passwords.matches(GOOD, hash, Lane.ANONYMOUS)).contains(true);
    assertThat(passwords.matches(GOOD + "x", hash, Lane.ANONYMOUS)).contains(false);
    assertThat(passwords.matches("", hash, Lane.ANONYMOUS)).contains(false);
    assertThat(passwords.matches(GOOD, null, Lane.ANONYMOUS)).contains(false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eleven char",
        "Password1234",
        "Qwerty UIOP 123",
        "correct horse battery staple",
        "aaaaaaaaaaaaaaaa",
        "abababababababab",
        "xyz1xyz1xyz1xy",
        "abcdefghijklmnop",
        "1234567890123456",
        "987654321098",
        "ponmlkjihgfedcba",
        "grace hopper is me",
        "my GraceHopper 1906",
        "CounterSign forever",
      })
  void check_passwordEasilyGuessed_isRefusedWithoutSayingIt(String password) {
    assertThatThrownBy(() -> PasswordRules.check(password, "Grace Hopper"))
        .isInstanceOf(OperatorException.class)
        .hasMessageNotContaining(password)
        .extracting(e -> ((OperatorException) e).reason())
        .isEqualTo(Reason.PASSWORD_REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "twelve chars",
        "  2  x   7 q y ",
        "ärger über öl",
        "日本語日本語日本語東京都",
        "lowercaseonlyisfine"
      })
  void check_passwordOfAnyCharacters_isAllowed(String password) {
    PasswordRules.check(password, "al");
    assertThat(password.codePointCount(0, password.length())).isGreaterThanOrEqualTo(12);
  }

  @Test
  void check_length_countsCodePoints() {
    String twelve = "😀😁😂😃😄😅😆😇😈😉😊😼";
    PasswordRules.check(twelve, "ada");
    assertThat(reason(twelve.substring(2))).isEqualTo(Reason.PASSWORD_REFUSED);
    String longest = "0123456789abcde ".repeat(8);
    PasswordRules.check(longest, "ada");
    assertThat(reason(longest + "x")).isEqualTo(Reason.PASSWORD_REFUSED);
    // Twelve characters as typed, six after normalization.
    assertThat(reason("a\u0308b\u0307c\u0327d\u0307e\u0308f\u0307"))
        .isEqualTo(Reason.PASSWORD_REFUSED);
  }

  @Test
  void gate_moreThanItsPlaces_refusesTheRestAndLetsTrustedOnesIn() throws Exception {
    PasswordHashLimiter gate = new PasswordHashLimiter(2, 0, Duration.ofMinutes(1));
    CountDownLatch inside = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.unlimited()) {
      List<Future<Optional<Boolean>>> held =
          List.of(
              threads.submit(() -> gate.pass(Lane.ANONYMOUS, () -> held(inside, go))),
              threads.submit(() -> gate.pass(Lane.ANONYMOUS, () -> held(inside, go))));
      Waits.forLatch(inside);
      assertThat(gate.pass(Lane.ANONYMOUS, () -> true)).isEmpty();
      assertThat(gate.pass(Lane.TRUSTED, () -> true)).contains(true);
      go.countDown();
      for (Future<Optional<Boolean>> one : held) {
        assertThat(Waits.forResult(one)).contains(true);
      }
    }
    assertThat(gate.pass(Lane.ANONYMOUS, () -> true)).contains(true);
  }

  @Test
  void gate_placeThatNeverComes_isNotWaitedForTooLong() throws Exception {
    PasswordHashLimiter gate = new PasswordHashLimiter(1, 5, Duration.ofMillis(50));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.unlimited()) {
      Future<Optional<Boolean>> held =
          threads.submit(() -> gate.pass(Lane.ANONYMOUS, () -> held(inside, go)));
      Waits.forLatch(inside);
      assertThat(gate.pass(Lane.ANONYMOUS, () -> true)).isEmpty();
      go.countDown();
      assertThat(Waits.forResult(held)).contains(true);
    }
  }

  private static boolean held(CountDownLatch inside, CountDownLatch go) {
    inside.countDown();
    try {
      Waits.forLatch(go);
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Reason reason(String password) {
    return catchThrowableOfType(OperatorException.class, () -> PasswordRules.check(password, "ada"))
        .reason();
  }
}
