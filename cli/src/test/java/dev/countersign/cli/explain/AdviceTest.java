package dev.countersign.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AdviceTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| [45][0-9]{2} \\|");

  @Test
  void advice_everyReasonOfTheService_hasASentence() {
    assertThat(Reason.values())
        .allSatisfy(reason -> assertThat(Advice.of(reason.word())).as(reason.word()).isPresent());
  }

  @Test
  void advice_everyReasonInTheDocumentation_hasASentence() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "interface.md"));
    List<String> reasons = ROW.matcher(page).results().map(row -> row.group(1)).toList();
    assertThat(reasons).hasSizeGreaterThan(30);
    assertThat(reasons).allSatisfy(reason -> assertThat(Advice.of(reason)).isPresent());
  }

  @Test
  void sentence_isOneLineWithoutAFullStop() {
    assertThat(Advice.values())
        .allSatisfy(
            advice ->
                assertThat(advice.sentence())
                    .doesNotContain("\n")
                    .doesNotEndWith(".")
                    .isNotEmpty());
  }
}
