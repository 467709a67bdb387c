package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationFailure;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTest {

  @ParameterizedTest
  @EnumSource
  void adviceToCaller_isOneLineWithoutAFullStop(Reason reason) {
    assertThat(reason.adviceToCaller()).doesNotContain("\n").doesNotEndWith(".").isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void adviceToOperator_isOneSentence(Reason reason) {
    assertThat(reason.adviceToOperator())
        .endsWith(".")
        .hasSizeBetween(40, 320)
        .doesNotContain(". ");
  }

  @Test
  void adviceToOperator_ofEveryReason_isItsOwn() {
    assertThat(Arrays.stream(Reason.values()).map(Reason::adviceToOperator))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void ofWord_wordOfAReason_findsIt(Reason reason) {
    assertThat(reason.word()).matches("[a-z_]+");
    assertThat(Reason.ofWord(reason.word())).contains(reason);
  }

  @Test
  void ofWord_anotherWord_isEmpty() {
    assertThat(Reason.ofWord("SIGNATURE_MISMATCH")).isEmpty();
    assertThat(Reason.ofWord("of_a_newer_release")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void of_everyFailureOfTheLibrary_isAReason(VerificationFailure failure) {
    Reason expected =
        switch (failure) {
          case KEY_UNKNOWN -> Reason.CLIENT_UNKNOWN;
          case NONCE_USED -> Reason.REPLAYED;
          case SIGNATURE_AMBIGUOUS -> Reason.SIGNATURE_MALFORMED;
          default -> Reason.valueOf(failure.name());
        };
    assertThat(Reason.of(failure)).isEqualTo(expected);
    assertThat(expected.status()).isEqualTo(401);
  }
}
