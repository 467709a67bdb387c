package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.KeyTexts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PrivateKeyTracesTest {
  static List<String> with() {
    return KeyTexts.withPrivateKey();
  }

  static List<String> without() {
    return KeyTexts.withoutPrivateKey();
  }

  @ParameterizedTest
  @MethodSource("with")
  void isIn_privateKeyInAnyForm_isTrue(String text) {
    assertThat(PrivateKeys.isIn(text)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("without")
  void isIn_wordsOrEmptyMembers_isFalse(String text) {
    assertThat(PrivateKeys.isIn(text)).isFalse();
  }

  // With backtracking, each of these texts would take minutes.
  @Test
  void isIn_longHostileText_takesLinearTime() {
    int length = 300_000;
    for (String part :
        List.of(
            "BEGIN ",
            "BEGIN A",
            "\"d\"",
            "\"d\" ",
            "kty d\\",
            "<D>",
            "MIIE ",
            "a1b2c3d4e5f6g7h8 ",
            "= ")) {
      assertThat(PrivateKeys.isIn(part.repeat(length / part.length()))).as(part).isIn(true, false);
    }
    assertThat(PrivateKeys.isIn("kty \"d\"" + " ".repeat(length))).isFalse();
    assertThat(PrivateKeys.isIn("x".repeat(length) + " -----BEGIN PRIVATE KEY-----\nMIIE"))
        .isTrue();
  }
}
