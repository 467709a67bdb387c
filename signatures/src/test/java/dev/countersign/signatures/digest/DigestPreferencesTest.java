package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_256;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.digest.DigestFieldException.Reason;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Want-Content-Digest and Want-Repr-Digest: requested, written, and answered. */
class DigestPreferencesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sha-256=1, sha-512=10 | SHA_512",
        "sha-512=10, sha-256=1 | SHA_512",
        "sha-512=3, sha-256=10, unixsum=0 | SHA_256",
        "sha-512=5, sha-256=5 | SHA_256",
        "sha-256=0, sha-512=1 | SHA_512",
        "sha-512=1 | SHA_512",
        "md5=10, sha=9, sha-256=1 | SHA_256",
        "sha-256=1;q=0, x=10;y | SHA_256",
      })
  void preferred_isTheMostWantedOfOurs(String field, DigestAlgorithm expected) {
    assertThat(DigestPreferences.parse(List.of(field)).preferred()).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha-256=0", "sha-512=0, sha-256=0", "md5=10, sha-256=0", "sha=10"})
  void preferred_noneAcceptable_isEmpty(String field) {
    assertThat(DigestPreferences.parse(List.of(field)).preferred()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sha-256=11",
        "sha-256=-1",
        "sha-256=999999999999999",
        "sha-256=4294967297",
        "sha-256=1.0",
        "sha-256=\"1\"",
        "sha-256",
        "sha-256=?1",
        "sha-256=(1)",
        "sha-256=@1",
        "sha-256=a",
        "md5=11, sha-256=1",
        "x, sha-256=1",
      })
  void parse_valueThatIsNoPreference_isMalformed(String field) {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> DigestPreferences.parse(List.of(field)))
        .withMessage("a preference must be an integer from 0 to 10")
        .returns(Reason.MALFORMED, DigestFieldException::reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sha-256=", "sha-256=1,", "SHA-256=1", "sha-256:1", "sha-256=1 sha-512=1"})
  void parse_noDictionary_isMalformed(String field) {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> DigestPreferences.parse(List.of(field)))
        .withMessageMatching("expected .+ at position \\d+")
        .returns(Reason.MALFORMED, DigestFieldException::reason);
  }

  @Test
  void parse_algorithmTwice_isMalformed() {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> DigestPreferences.parse(List.of("sha-256=1", "sha-512=2, sha-256=10")))
        .withMessage("each algorithm must occur once, one occurs twice")
        .returns(Reason.MALFORMED, DigestFieldException::reason);
  }

  @Test
  void parse_severalLines_areOneField() {
    assertThat(DigestPreferences.parse(List.of("sha-256=1", "sha-512=2")).preferred())
        .contains(SHA_512);
    assertThat(DigestPreferences.parse(List.of()).weights()).isEmpty();
  }

  @Test
  void weights_written_comeBackInOneOrder() {
    for (int sha256 = 0; sha256 <= 10; sha256++) {
      for (int sha512 = 0; sha512 <= 10; sha512++) {
        DigestPreferences wanted = new DigestPreferences(Map.of(SHA_512, sha512, SHA_256, sha256));
        assertThat(wanted.serialize()).isEqualTo("sha-256=" + sha256 + ", sha-512=" + sha512);
        assertThat(DigestPreferences.parse(List.of(wanted.serialize()))).isEqualTo(wanted);
      }
    }
    assertThat(new DigestPreferences(Map.of())).hasToString("");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 11, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void weight_outOfRange_throws(int weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DigestPreferences(Map.of(SHA_512, weight)))
        .withMessage("the weight of sha-512 must be 0 to 10, was " + weight);
  }

  @Test
  void weights_areACopyThatNobodyChanges() {
    Map<DigestAlgorithm, Integer> given = new EnumMap<>(Map.of(SHA_256, 1));
    DigestPreferences wanted = new DigestPreferences(given);
    given.put(SHA_256, 11);
    assertThat(wanted.weights()).isEqualTo(Map.of(SHA_256, 1));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> wanted.weights().clear());
  }
}
