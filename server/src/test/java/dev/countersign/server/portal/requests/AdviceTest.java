package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.Reason;
import dev.countersign.server.access.Standing;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdviceTest {

  @ParameterizedTest
  @EnumSource
  void everyReason_hasOneSentence(Reason reason) {
    assertThat(Advice.of(reason)).endsWith(".").hasSizeBetween(40, 320).doesNotContain(". ");
  }

  @Test
  void everyReason_hasAdviceOfItsOwn() {
    assertThat(Arrays.stream(Reason.values()).map(Advice::of)).doesNotHaveDuplicates();
  }

  @Test
  void mismatch_withABase_speaksOfTheBase() {
    assertThat(Advice.of(mismatch("\"@method\": GET"))).contains("the one below", "that was live");
  }

  @Test
  void mismatch_whereEveryKeyHadEnded_speaksOfKeysAlone() {
    assertThat(Advice.of(mismatch(null)))
        .contains("No key of the client was live")
        .doesNotContain("below", "Compare");
  }

  private static RequestDetails mismatch(@Nullable String base) {
    RequestRecord request =
        new RequestRecord(
            1,
            Instant.EPOCH,
            Standing.CLAIMED,
            "cl-a",
            "GET",
            "/",
            401,
            Reason.SIGNATURE_MISMATCH,
            Duration.ofMillis(1),
            "192.0.2.1",
            "0123456789abcdef");
    return new RequestDetails(request, "/", null, null, null, base, null, null);
  }
}
