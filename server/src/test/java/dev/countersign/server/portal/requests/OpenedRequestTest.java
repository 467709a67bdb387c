package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.Standing;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestRecord;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenedRequestTest {

  @Test
  void mismatch_withABase_speaksOfTheBase() {
    assertThat(mismatch("\"@method\": GET").advice())
        .contains("the one that the service built", "that was live");
  }

  @Test
  void mismatch_whereEveryKeyHadEnded_speaksOfKeysAlone() {
    assertThat(mismatch(null).advice())
        .contains("No key of the client was live")
        .doesNotContain("the one that the service built", "Compare");
  }

  private static OpenedRequest mismatch(@Nullable String base) {
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
    return new OpenedRequest(
        new RequestRow(request, null),
        new RequestDetails(request, "/", null, null, null, base, null, null));
  }
}
