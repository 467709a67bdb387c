package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerTest {

  @Test
  void sequence_ofNumbers_isReadInOrder() {
    Der sequence = der("3008 0203010001 020100").enter(Der.SEQUENCE);
    assertThat(sequence.integer()).isEqualTo(65537);
    assertThat(sequence.integer()).isEqualTo(BigInteger.ZERO);
    sequence.requireEnd();
  }

  @ParameterizedTest
  @CsvSource({
    "02, too early",
    "0201, longer than its container",
    "0280, not in DER form",
    "0284 00000001 05, not in DER form",
    "02ff, not in DER form",
    "0281 01 05, shortest form",
    "0282 0001 05, shortest form",
    "0282 0080 05, shortest form",
    "0283 ffffff 05, longer than its container",
    "0200, empty or negative",
    "0201 80, empty or negative",
    "0202 0001, unnecessary leading zeros",
    "0301 00, expected tag 2"
  })
  void integer_notInDer_isMalformed(String hex, String message) {
    assertRefused(MALFORMED, () -> der(hex).integer()).contains(message);
  }

  @Test
  void bitString_withUnusedBits_isMalformed() {
    assertRefused(MALFORMED, () -> der("0302 0180").bitString()).contains("whole bytes");
    assertRefused(MALFORMED, () -> der("0300").bitString()).contains("whole bytes");
  }

  @Test
  void requireEnd_withSomethingLeft_isMalformed() {
    assertRefused(MALFORMED, () -> der("00").requireEnd()).contains("data follows");
  }

  private static Der der(String hex) {
    return Der.of(HexFormat.of().parseHex(hex.replace(" ", "")));
  }
}
