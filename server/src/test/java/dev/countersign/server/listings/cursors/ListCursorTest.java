package dev.countersign.server.listings.cursors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.pagination.PageRequest;
import dev.countersign.server.listings.cursors.ListCursor.Binding;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListCursorTest {
  private static final Binding LIST = Binding.of(List.of("/ledger/v1/wallets", "name,asc"));
  private static final List<Object> VALUES =
      Arrays.asList("ä\u0000😀", null, "", Long.MIN_VALUE, -0.0, Double.POSITIVE_INFINITY, 7L);

  @Test
  void token_ofEveryKindOfValue_isReadBack() {
    ListCursor cursor = new ListCursor(PageRequest.MAXIMUM_OFFSET, VALUES);
    String token = cursor.token(LIST);
    assertThat(token).matches("[A-Za-z0-9_-]+");
    assertThat(ListCursor.parse(token, LIST)).contains(cursor);
    byte[] blob = {0, -1, 'a'};
    assertThat(
            ListCursor.parse(new ListCursor(1, List.of(blob)).token(LIST), LIST)
                .orElseThrow()
                .values())
        .singleElement()
        .isEqualTo(blob);
  }

  @Test
  void token_thatWouldBeTooLong_hasOnlyTheKey() {
    String long1 = "x".repeat(1_070);
    assertThat(new ListCursor(20, List.of(long1, "k")).token(LIST)).hasSizeLessThanOrEqualTo(1_500);
    assertThat(ListCursor.parse(new ListCursor(20, List.of(long1, "k")).token(LIST), LIST))
        .contains(new ListCursor(20, List.of(long1, "k")));
    String long2 = "x".repeat(1_200);
    String token = new ListCursor(20, List.of(long2, "k")).token(LIST);
    assertThat(ListCursor.parse(token, LIST)).contains(new ListCursor(20, List.of("k")));
  }

  @Test
  void parse_tokenOfAnotherList_isEmpty() {
    String token = new ListCursor(20, VALUES).token(LIST);
    for (List<String> other :
        List.of(
            List.of("/ledger/v1/wallets", "name,desc"),
            List.of("/ledger/v1/wallet", "sname,asc"),
            List.of("/ledger/v1/wallets"),
            List.of("/ledger/v1/wallets", "name,asc", ""))) {
      assertThat(ListCursor.parse(token, Binding.of(other))).as("%s", other).isEmpty();
    }
  }

  @Test
  void parse_everyByteChanged_isNoToken() {
    byte[] bytes = Base64.getUrlDecoder().decode(new ListCursor(20, VALUES).token(LIST));
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    for (int at = 0; at < bytes.length; at++) {
      for (int change = 1; change < 256; change++) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) change;
        assertNoToken(encoder.encodeToString(changed));
      }
      assertNoToken(encoder.encodeToString(Arrays.copyOf(bytes, at)));
    }
    assertNoToken(encoder.encodeToString(Arrays.copyOf(bytes, bytes.length + 1)));
  }

  @Test
  void parse_randomBytes_isNoToken() {
    Random random = new Random(5);
    for (int n = 0; n < 10_000; n++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) random.nextInt(3);
      }
      assertNoToken(Base64.getUrlEncoder().encodeToString(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "AQ", "AQ==", "ä", "AQID/+", "null", "A"})
  void parse_otherText_isNoToken(String text) {
    assertNoToken(text);
  }

  @Test
  void parse_aTokenWithPadding_isNoToken() {
    String token = new ListCursor(20, List.of("ab")).token(LIST);
    assertNoToken(token + "=");
    assertNoToken(token + "==");
    assertNoToken(" " + token);
  }

  private static void assertNoToken(String text) {
    assertThatIllegalArgumentException().as(text).isThrownBy(() -> ListCursor.parse(text, LIST));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1L << 53, Long.MAX_VALUE})
  void passed_outOfItsRange_isRefused(long passed) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ListCursor(passed, VALUES));
  }
}
