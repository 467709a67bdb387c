package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.portal.requests.RequestDetailView.State;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  @Test
  void checks_ofARefusal_areThoseThatWereMade() {
    RequestDetailView opened =
        opened(Reason.SIGNATURE_MISMATCH, new CheckProgress(Check.DIGEST, Check.SIGNATURE), null);
    for (RequestDetailView.CheckLine line : opened.checks()) {
      int place = line.check().compareTo(Check.SIGNATURE);
      assertThat(line.state())
          .as(line.check().word())
          .isEqualTo(place < 0 ? State.PASSED : place == 0 ? State.FAILED : State.NOT_REACHED);
    }
    assertThat(opened.elsewhere()).isNull();
  }

  /** The transaction of a rotation repeats some checks at the end. */
  @Test
  void checks_ofARefusalByACheckThatWasMadeAgain_haveAllBeenMade() {
    RequestDetailView opened =
        opened(Reason.CLIENT_DISABLED, new CheckProgress(Check.REPLAY, Check.CLIENT), null);
    for (RequestDetailView.CheckLine line : opened.checks()) {
      assertThat(line.state())
          .as(line.check().word())
          .isEqualTo(line.check() == Check.CLIENT ? State.FAILED : State.PASSED);
    }
  }

  @Test
  void checks_ofARefusalElsewhere_sayHowFarItCame() {
    RequestDetailView opened =
        opened(Reason.RATE_LIMITED, new CheckProgress(Check.SIGNATURE, null), null);
    assertThat(states(opened)).doesNotContain(State.FAILED);
    assertThat(opened.elsewhere()).isEqualTo("after check " + Check.SIGNATURE.number());
    assertThat(opened(Reason.HOST_UNKNOWN, new CheckProgress(null, null), null).elsewhere())
        .isEqualTo("before the first check");
  }

  @Test
  void checks_ofAnOlderRecord_areUnknown() {
    RequestDetailView opened = opened(Reason.REPLAYED, null, null);
    assertThat(states(opened)).hasSameSizeAs(Check.values()).containsOnly(State.UNKNOWN);
    assertThat(opened.isProgressKnown()).isFalse();
    assertThat(opened.elsewhere()).isNull();
  }

  @Test
  void refusal_thatTheClientsRecordCauses_leadsToItsPart() {
    assertThat(clientPart(Reason.SCOPE_MISSING, "Acme")).isEqualTo("attributes");
    assertThat(clientPart(Reason.SCOPE_VIOLATION, "Acme")).isEqualTo("attributes");
    assertThat(clientPart(Reason.ROLE_MISSING, "Acme")).isEqualTo("roles");
    assertThat(clientPart(Reason.ADDRESS_NOT_ALLOWED, "Acme")).isEqualTo("whitelist");
    assertThat(clientPart(Reason.PARAMETER_UNKNOWN, "Acme")).isNull();
    assertThat(clientPart(Reason.SCOPE_MISSING, null)).as("removed").isNull();
  }

  private static @Nullable String clientPart(Reason reason, @Nullable String name) {
    return opened(reason, null, null, name).clientPart();
  }

  private static List<State> states(RequestDetailView opened) {
    return opened.checks().stream().map(RequestDetailView.CheckLine::state).toList();
  }

  private static RequestDetailView mismatch(@Nullable String base) {
    return opened(
        Reason.SIGNATURE_MISMATCH, new CheckProgress(Check.DIGEST, Check.SIGNATURE), base);
  }

  private static RequestDetailView opened(
      Reason reason, @Nullable CheckProgress checks, @Nullable String base) {
    return opened(reason, checks, base, null);
  }

  private static RequestDetailView opened(
      Reason reason,
      @Nullable CheckProgress checks,
      @Nullable String base,
      @Nullable String clientName) {
    RequestRecord request =
        new RequestRecord(
            1,
            Instant.EPOCH,
            TrustLevel.CLAIMED,
            "cl-a",
            "GET",
            "/",
            reason.status(),
            reason,
            checks,
            Duration.ofMillis(1),
            "192.0.2.1",
            "0123456789abcdef");
    return new RequestDetailView(
        new RequestRow(request, clientName),
        new RequestDetails(request, "/", null, null, null, base, null, null));
  }
}
