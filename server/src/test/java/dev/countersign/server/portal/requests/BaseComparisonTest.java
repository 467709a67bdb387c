package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.portal.requests.BaseComparison.Place;
import dev.countersign.server.portal.requests.BaseComparison.Verdict;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BaseComparisonTest {
  private static final String BASE =
      """
      "@method": GET
      "@target-uri": https://api.example.com/ledger?sort=name%2Casc
      "@signature-params": ("@method" "@target-uri");created=1\
      """;

  @Test
  void anotherCharacter_isFoundWithItsCause() {
    BaseComparison comparison =
        BaseComparison.of(BASE.replace("%2C", ",").replace("\n", "\r\n"), BASE);

    assertThat(comparison.verdict()).isEqualTo(Verdict.DIFFERENT);
    Place place = Objects.requireNonNull(comparison.place());
    assertThat(place.line()).isEqualTo(2);
    assertThat(place.component()).isEqualTo("\"@target-uri\"");
    assertThat(place.signed().marked()).isEqualTo(",");
    assertThat(place.rebuilt().marked()).isEqualTo("%2C");
    assertThat(place.signed().before()).hasSize(place.column() - 1);
    assertThat(place.cause()).contains("re-encoded");
  }

  @Test
  void missingLine_isSaidToBeMissing() {
    BaseComparison comparison = BaseComparison.of(BASE.lines().findFirst().orElseThrow(), BASE);

    Place place = Objects.requireNonNull(comparison.place());
    assertThat(place.signed().isThere()).isFalse();
    assertThat(place.rebuilt().isThere()).isTrue();
  }

  @Test
  void equalTexts_asAFormSendsThem_areEqual() {
    assertThat(BaseComparison.of(BASE.replace("\n", "\r\n"), BASE).verdict())
        .isEqualTo(Verdict.EQUAL);
  }

  @Test
  void bounds_areExact() {
    assertThat(BaseComparison.of(" \r\n", BASE).verdict()).isEqualTo(Verdict.EMPTY);
    assertThat(BaseComparison.of("é".repeat(BaseComparison.MAX_BYTES / 2), BASE).verdict())
        .isEqualTo(Verdict.DIFFERENT);
    assertThat(BaseComparison.of("é".repeat(BaseComparison.MAX_BYTES / 2) + "a", BASE).verdict())
        .isEqualTo(Verdict.TOO_LARGE);
  }
}
