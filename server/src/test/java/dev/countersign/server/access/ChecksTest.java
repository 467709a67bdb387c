package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.Checks.Result;
import dev.countersign.server.access.Checks.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChecksTest {

  @Test
  void accepted_hasPassedAll() {
    Checks checks = Checks.of(null, Standing.VERIFIED);
    assertThat(checks.results()).hasSize(10).allMatch(r -> r.state() == State.PASSED);
    assertThat(checks.elsewhere()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "SIGNATURE_MISSING, STRANGER, 1",
    "COMPONENTS_WRONG, STRANGER, 2",
    "COMPONENTS_WRONG, CLAIMED, 7",
    "CLIENT_DISABLED, STRANGER, 3",
    "ADDRESS_NOT_ALLOWED, STRANGER, 4",
    "DATE_MISMATCH, CLAIMED, 5",
    "DIGEST_MISSING, CLAIMED, 6",
    "DIGEST_MISSING, VERIFIED, 8",
    "BODY_TOO_LARGE, CLAIMED, 6",
    "BODY_TOO_LARGE, VERIFIED, 8",
    "SIGNATURE_MISMATCH, CLAIMED, 7",
    "DIGEST_MISMATCH, VERIFIED, 8",
    "ROLE_MISSING, VERIFIED, 9",
    "REPLAYED, VERIFIED, 10"
  })
  void refusedByACheck_hasPassedThoseBeforeIt(Reason reason, Standing standing, int number) {
    Checks checks = Checks.of(reason, standing);
    List<State> states = checks.results().stream().map(Result::state).toList();
    assertThat(states.subList(0, number - 1)).allMatch(s -> s == State.PASSED);
    assertThat(states.get(number - 1)).isEqualTo(State.FAILED);
    assertThat(states.subList(number, 10)).allMatch(s -> s == State.NOT_REACHED);
    assertThat(checks.elsewhere()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "REQUEST_MALFORMED, STRANGER, 0",
    "HOST_UNKNOWN, STRANGER, 0",
    "OVERLOADED, CLAIMED, 6",
    "RATE_LIMITED, VERIFIED, 7",
    "OVERLOADED, VERIFIED, 7",
    "NOT_FOUND, VERIFIED, 8",
    "METHOD_NOT_ALLOWED, VERIFIED, 8",
    "PARAMETER_INVALID, VERIFIED, 9",
    "MEDIA_TYPE_UNSUPPORTED, VERIFIED, 9"
  })
  void refusedElsewhere_failedNoneAndSaysWhere(Reason reason, Standing standing, int passed) {
    Checks checks = Checks.of(reason, standing);
    assertThat(checks.results()).noneMatch(r -> r.state() == State.FAILED);
    assertThat(checks.results().stream().filter(r -> r.state() == State.PASSED)).hasSize(passed);
    assertThat(checks.elsewhere()).isNotBlank();
  }

  @ParameterizedTest
  @EnumSource
  void everyReason_inEveryStanding_passesNoMoreThanIsProven(Reason reason) {
    for (Standing standing : Standing.values()) {
      for (Result result : Checks.of(reason, standing).results()) {
        int most =
            switch (standing) {
              case STRANGER -> Check.ADDRESS.number() - 1;
              case CLAIMED -> Check.SIGNATURE.number() - 1;
              case VERIFIED -> Check.REPLAY.number() - 1;
            };
        int least = standing == Standing.VERIFIED ? 7 : standing == Standing.CLAIMED ? 4 : 0;
        if (result.check().number() > most) {
          assertThat(result.state()).isNotEqualTo(State.PASSED);
        }
        if (result.check().number() <= least) {
          assertThat(result.state()).isEqualTo(State.PASSED);
        }
      }
    }
  }
}
