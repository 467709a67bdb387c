package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.AliceVerification.refusal;
import static dev.countersign.signatures.AliceVerification.verify;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.Profiles.PARTNER_V1;
import static dev.countersign.signatures.base.VerificationFailure.CREATED_IN_FUTURE;
import static dev.countersign.signatures.base.VerificationFailure.CREATED_TOO_OLD;
import static dev.countersign.signatures.base.VerificationFailure.DATE_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.DATE_MISMATCH;
import static dev.countersign.signatures.base.VerificationFailure.DATE_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The time rules: created inside the window, not expired, and Date at the same instant as created.
 */
class TimeWindowTest {
  private static final WireRequest SIGNED = ALICE.sign(WireRequest.GET, GET_PARAMS);

  @ParameterizedTest
  @ValueSource(longs = {-30, -1, 0, 1, 299, 300})
  void created_insideTheWindow_isAccepted(long age) {
    assertThat(verify(SIGNED, PARTNER_V1, NOW.plusSeconds(age)).covers("date")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {301, 302, 100_000, 10_000_000_000L})
  void created_beforeTheWindow_isTooOld(long age) {
    VerificationException refusal = refusal(SIGNED, PARTNER_V1, NOW.plusSeconds(age));
    assertThat(refusal.failure()).isEqualTo(CREATED_TOO_OLD);
    assertThat(refusal).hasMessageContaining("created is " + age + " s old, at most 300 s");
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 100_000})
  void created_behindTheWindow_isInFuture(long ahead) {
    VerificationException refusal = refusal(SIGNED, PARTNER_V1, NOW.minusSeconds(ahead));
    assertThat(refusal.failure()).isEqualTo(CREATED_IN_FUTURE);
    assertThat(refusal)
        .hasMessageContaining("created is " + ahead + " s in the future, at most 30 s");
  }

  @Test
  void created_aPartOfASecondOutsideTheWindow_isRefusedWithTheNextSecond() {
    assertThat(refusal(SIGNED, PARTNER_V1, NOW.plusMillis(300_001)))
        .hasMessageContaining("created is 301 s old, at most 300 s");
    assertThat(refusal(SIGNED, PARTNER_V1, NOW.minusMillis(30_001)))
        .hasMessageContaining("created is 31 s in the future, at most 30 s");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999_999_999_999L})
  void created_farAway_isRefused(long created) {
    WireRequest signed =
        ALICE.sign(WireRequest.GET, GET_PARAMS.replace("1709622489", "" + created));
    assertThat(refusal(signed, PARTNER_V1, NOW).failure())
        .isEqualTo(created > 1 ? CREATED_IN_FUTURE : CREATED_TOO_OLD);
  }

  @Test
  void endOf_isTheLastInstantThatIsTaken() {
    for (SignatureProfile profile :
        new SignatureProfile[] {
          PARTNER_V1,
          PARTNER_V1.withMaximumAge(Duration.ofMillis(1500)),
          PARTNER_V1.withMaximumAge(Duration.ZERO)
        }) {
      Instant end = profile.endOf(NOW);
      assertThat(verify(SIGNED, profile, end).covers("date")).isTrue();
      assertThat(refusal(SIGNED, profile, end.plusNanos(1)).failure()).isEqualTo(CREATED_TOO_OLD);
    }
  }

  @Test
  void window_otherBounds_areInclusiveToo() {
    SignatureProfile profile =
        PARTNER_V1.withMaximumAge(Duration.ofSeconds(5)).withMaximumSkew(Duration.ZERO);

    assertThat(verify(SIGNED, profile, NOW.plusSeconds(5)).covers("date")).isTrue();
    assertThat(refusal(SIGNED, profile, NOW.plusSeconds(6)).failure()).isEqualTo(CREATED_TOO_OLD);
    assertThat(refusal(SIGNED, profile, NOW.minusNanos(1)).failure()).isEqualTo(CREATED_IN_FUTURE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PARTNER_V1.withMaximumAge(Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PARTNER_V1.withMaximumSkew(Duration.ofSeconds(-1)));
  }

  @Test
  void window_ofAnyLength_throwsNothingElse() {
    SignatureProfile profile = PARTNER_V1.withMaximumAge(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(verify(SIGNED, profile, NOW.plusSeconds(1)).covers("date")).isTrue();
  }

  @Test
  void expires_isTheFirstSecondThatIsRefused() {
    WireRequest signed = ALICE.sign(WireRequest.GET, GET_PARAMS + ";expires=1709622499");

    assertThat(verify(signed, PARTNER_V1, NOW.plusMillis(9_999)).covers("date")).isTrue();
    assertThat(refusal(signed, PARTNER_V1, NOW.plusSeconds(10)).failure()).isEqualTo(EXPIRED);
  }

  @Test
  void expires_afterTheWindow_doesNotLengthenIt() {
    WireRequest signed = ALICE.sign(WireRequest.GET, GET_PARAMS + ";expires=999999999999999");
    assertAccepted(signed);
    assertThat(refusal(signed, PARTNER_V1, NOW.plusSeconds(301)).failure())
        .isEqualTo(CREATED_TOO_OLD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"07:08:08", "07:08:09", "07:08:10"})
  void date_withinASecondOfCreated_isAccepted(String time) {
    assertAccepted(withDate("Tue, 05 Mar 2024 " + time + " GMT"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"07:08:07", "07:08:11", "08:08:09"})
  void date_furtherFromCreated_isAMismatch(String time) {
    assertRefused(DATE_MISMATCH, withDate("Tue, 05 Mar 2024 " + time + " GMT"));
  }

  @Test
  void date_ofOneDigit_isSignedAsSent() {
    WireRequest signed = withDate("Tue, 5 Mar 2024 07:08:09 GMT");
    assertThat(verify(signed).base().text()).contains("\"date\": Tue, 5 Mar 2024 07:08:09 GMT\n");
    assertRefused(
        VerificationFailure.SIGNATURE_MISMATCH,
        signed.with("Date", "Tue, 05 Mar 2024 07:08:09 GMT"));
  }

  @Test
  void date_withBlanksAround_isTrimmedAsItsComponentIs() {
    assertAccepted(withDate(" \tTue, 05 Mar 2024 07:08:09 GMT\t "));
    assertRefused(DATE_MALFORMED, withDate("\u2003Tue, 05 Mar 2024 07:08:09 GMT"));
  }

  @Test
  void date_absent_isMissing() {
    assertRefused(DATE_MISSING, SIGNED.without("Date"));
  }

  @Test
  void date_inSeveralLines_isMalformed() {
    String again = "Tue, 05 Mar 2024 07:08:09 GMT";
    assertRefused(DATE_MALFORMED, ALICE.sign(WireRequest.GET.plus("Date", again), GET_PARAMS));
    assertRefused(DATE_MALFORMED, ALICE.sign(WireRequest.GET.plus("date", ""), GET_PARAMS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1709622489", "2024-03-05T07:08:09Z", "Tuesday, 05-Mar-24 07:08:09 GMT"})
  void date_ofAnotherForm_isMalformed(String date) {
    assertThat(assertRefused(DATE_MALFORMED, withDate(date)))
        .hasMessageContaining("Tue, 05 Mar 2024 07:08:09 GMT");
  }

  private static WireRequest withDate(String date) {
    return ALICE.sign(WireRequest.GET.with("Date", date), GET_PARAMS);
  }
}
