package dev.countersign.cli.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.terminal.CliException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnsTest {
  @Test
  void typed_ofAWrittenLine_isTheSame() {
    for (List<String> names :
        List.of(
            List.of("id", "name"),
            List.of("a,b", "c\"d\"", "\"", "e\r\nf"),
            List.of(""),
            List.of("", ""),
            List.of("a", ""),
            List.of("a", " b "))) {
      String line = new Columns(names).options(true).get(1);
      assertThat(Columns.typed(List.of(line)).names()).isEqualTo(names);
    }
    assertThat(Columns.typed(List.of("")).names()).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a", "a\"b\"", "\"a\"b", "x,\"", "\"\"\"", "a\nb"})
  void typed_withAMisplacedQuoteOrLineEnd_isRefused(String line) {
    assertThatThrownBy(() -> Columns.typed(List.of(line)))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--columns: quotes must enclose a whole name")
        .hasMessageContaining(line);
  }
}
