package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.release.faults.Results.Column;
import dev.countersign.release.faults.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResultsTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void choose() {
    file = folder.resolve("faults.tsv");
  }

  @Test
  void results_areContinuedByALaterStart() throws IOException {
    Results first = Results.open(file, "abc");
    first.add(row(Fault.NODE_KILLED, 0, Map.of()));
    first.add(row(Fault.NODE_KILLED, 1, Map.of()));
    first.add(row(Fault.CALM, 0, Map.of()));
    Results second = Results.open(file, "abc");
    assertThat(second.count(Fault.NODE_KILLED)).isEqualTo(2);
    assertThat(second.count(Fault.COMMIT_CUT)).isZero();
    assertThat(second.table()).isEqualTo(first.table());
    assertThat(second.hasBroken()).isFalse();
    second.add(row(Fault.CALM, 1, Map.of(Column.LOST, 1L)));
    assertThat(Results.open(file, "abc").hasBroken()).isTrue();
  }

  @Test
  void results_ofSomethingElse_areNotContinued() throws IOException {
    Results.open(file, "abc").add(row(Fault.CALM, 0, Map.of()));
    assertThatThrownBy(() -> Results.open(file, "abd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("use --fresh to start again");
  }

  @Test
  void lineThatWasNotCompleted_isDropped() throws IOException {
    Results.open(file, "abc").add(row(Fault.CALM, 0, Map.of()));
    String complete = Files.readString(file);
    Files.writeString(file, complete + "calm\t1\t5");
    assertThat(Results.open(file, "abc").count(Fault.CALM)).isEqualTo(1);
    assertThat(file).hasContent(complete);
  }

  @Test
  void abortedRun_isMadeAgain_butWhatItBrokeCounts() throws IOException {
    Results results = Results.open(file, "abc");
    results.add(Row.aborted(Fault.CALM, 0, 1, Map.of(), new IOException("a\tb\nc")));
    assertThat(results.count(Fault.CALM)).isZero();
    assertThat(results.hasBroken()).isFalse();
    assertThat(results.table()).endsWith("\n1 further runs were not completed\n");
    results.add(Row.aborted(Fault.CALM, 0, 1, Map.of(Column.LOST, 1L), new IOException("again")));
    assertThat(Results.open(file, "abc").hasBroken()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void run_isBrokenByEachPromise_orHasMeasuredNothing(Column column) {
    boolean isPromise =
        !row(Fault.CALM, 0, Map.of(column, 0L)).isBroken()
            && row(Fault.CALM, 0, Map.of(column, 1L)).isBroken();
    boolean isMeasured = !row(Fault.CALM, 0, Map.of(column, 0L)).unmeasured().isEmpty();
    assertThat(isPromise && isMeasured).isFalse();
    switch (column) {
      case ACKNOWLEDGED, REPLAYS, RACES, REVOCATIONS -> assertThat(isMeasured).isTrue();
      case SERVED_AFTERWARDS, SERVED_IN_FAULT, OUTAGE, REQUEST ->
          assertThat(isPromise || isMeasured).isFalse();
      default -> assertThat(isPromise).isTrue();
    }
  }

  @Test
  void table_addsCounts_andShowsTheLongestTimes() throws IOException {
    Results results = Results.open(file, "abc");
    results.add(row(Fault.CALM, 0, Map.of(Column.OUTAGE, 7_000L)));
    results.add(row(Fault.CALM, 1, Map.of(Column.OUTAGE, 6_940L, Column.LOST, 3L)));
    assertThat(results.table())
        .contains("| `calm` | 2 | 2,002 | 3 |", "| 7.0 s |")
        .contains("\n| all | 2 | 2,002 | 3 |")
        .doesNotContain("node-killed");
  }

  private static Row row(Fault fault, int index, Map<Column, Long> special) {
    Map<Column, Long> values = new EnumMap<>(Column.class);
    values.put(Column.ACKNOWLEDGED, 1_001L);
    values.put(Column.REPLAYS, 20L);
    values.put(Column.RACES, 30L);
    values.put(Column.REVOCATIONS, 2L);
    values.putAll(special);
    return new Row(fault, index, 1, values, "node-1, 3 s");
  }
}
