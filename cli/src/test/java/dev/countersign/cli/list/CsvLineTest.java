package dev.countersign.cli.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvLineTest {
  @Test
  void read_ofWhatWasWritten_isTheSame() {
    for (List<String> cells :
        List.of(
            List.of("id", "name"),
            List.of("a,b", "c\"d\"", "\"", "e\r\nf"),
            List.of(""),
            List.of("", ""),
            List.of("a", ""))) {
      assertThat(CsvLine.read(CsvLine.of(cells))).isEqualTo(cells);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a", "a\"b\"", "\"a\"b", "x,\"", "\"\"\""})
  void read_ofAMisplacedQuote_isRefused(String line) {
    assertThatThrownBy(() -> CsvLine.read(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(line);
  }
}
