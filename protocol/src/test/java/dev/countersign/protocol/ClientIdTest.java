package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientIdTest {
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int FIRST_DIGIT = 3;

  @Test
  void generate_fixedRandomness_hasTheModuloAsCheckDigits() {
    // The digits are 31 zeros and a one, so the number is 1 and its check digits are 01.
    int[] digits = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    assertThat(ClientId.generate(digits(digits)).value()).isEqualTo("cl-000000000000000101");
    // 32 * 32 = 1024 = 1021 + 3
    int[] wrapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    assertThat(ClientId.generate(digits(wrapped)).value()).isEqualTo("cl-000000000000010003");
  }

  @Test
  void generate_anyRandomness_isNotMistyped() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      String id = ClientId.generate(random).value();
      assertThat(id).matches("cl-[0-9a-hjkmnp-tv-z]{18}");
      assertThat(ClientId.isMistyped(id)).isFalse();
    }
  }

  @Test
  void isMistyped_anySingleWrongDigit_isFound() {
    Random random = new Random(11);
    for (int n = 0; n < 20; n++) {
      String id = ClientId.generate(random).value();
      for (int i = FIRST_DIGIT; i < id.length(); i++) {
        for (char digit : ALPHABET.toCharArray()) {
          String changed = id.substring(0, i) + digit + id.substring(i + 1);
          assertThat(ClientId.isMistyped(changed)).as(changed).isEqualTo(!changed.equals(id));
        }
      }
    }
  }

  @Test
  void isMistyped_anySwapOfNeighbours_isFound() {
    Random random = new Random(13);
    for (int n = 0; n < 500; n++) {
      String id = ClientId.generate(random).value();
      for (int i = FIRST_DIGIT; i + 1 < id.length(); i++) {
        String swapped = id.substring(0, i) + id.charAt(i + 1) + id.charAt(i) + id.substring(i + 2);
        assertThat(ClientId.isMistyped(swapped)).as(swapped).isEqualTo(!swapped.equals(id));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cl-",
        "CL-000000000000000101",
        "cl-00000000000000010",
        "cl-0000000000000001011",
        "cl-00000000000000O101",
        "cl-00000000000000010l",
        "cl-my-own-id",
        "cl-\u0661\u0661"
      })
  void isMistyped_prefixWithoutAWholeId_isTrue(String keyid) {
    assertThat(ClientId.isMistyped(keyid)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c", "cl", "acme", "client-7", "xcl-1", "cl-000000000000000101"})
  void isMistyped_anythingElse_isFalse(String keyid) {
    assertThat(ClientId.isMistyped(keyid)).isFalse();
  }

  @Test
  void meantBy_oneSlip_namesTheId() {
    ClientId id = new ClientId("cl-7zk3m9q2x5w8d1tr61");
    assertThat(ClientId.suggestionFor("CL-7ZK3M9Q2X5W8D1TR61")).contains(id);
    assertThat(ClientId.suggestionFor(" cl-7zk3m9q2x5w8d1tr61 ")).contains(id);
    assertThat(ClientId.suggestionFor("cl-7zk3m9q2x5w8dltr6i")).contains(id);
    assertThat(ClientId.suggestionFor("cl-7kz3m9q2x5w8d1tr61")).contains(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cl-abc", "cl-", "acme", "", "cl-8zk3m9q2x5w8d1tr62"})
  void meantBy_moreThanOneSlip_isEmpty(String mistyped) {
    assertThat(ClientId.suggestionFor(mistyped)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "acme",
        "3f2b1c9e-0d51-4a6e-9a57-1f6c1f1f1f1f",
        "cl-000000000000000101",
        "~!"
      })
  void clientId_broughtAlong_isTaken(String id) {
    assertThatNoException().isThrownBy(() -> new ClientId(id));
    assertThatNoException().isThrownBy(() -> new ClientId("x".repeat(128)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "a b", "a\"b", "a'b", "a`b", "a\\b", "a\nb", "a\u007fb", "caf\u00e9"})
  void clientId_formNotAllowed_throws(String id) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId(id))
        .withMessageStartingWith("a clientId must be 1 to 128 visible ASCII characters");
  }

  @Test
  void clientId_tooLong_throwsWithoutEchoingItAll() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId("x".repeat(129)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void clientId_reservedPrefix_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClientId("cl-partner"))
        .withMessageContaining("check digits are wrong");
  }

  private static Random digits(int... digits) {
    return new Random() {
      private static final long serialVersionUID = 1L;
      private int next;

      @Override
      public int nextInt(int bound) {
        assertThat(bound).isEqualTo(32);
        return digits[next++];
      }
    };
  }
}
