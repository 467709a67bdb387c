package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.release.faults.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir private Path folder;

  @Test
  void results_areContinuedByALaterStart() throws IOException {
    Path file = folder.resolve("faults.tsv");
    Results first = Results.open(file, "abc");
    first.add(row(Fault.NODE_KILLED, 0, 0));
    first.add(row(Fault.NODE_KILLED, 1, 0));
    first.add(row(Fault.CALM, 0, 0));
    Results second = Results.open(file, "abc");
    assertThat(second.count(Fault.NODE_KILLED)).isEqualTo(2);
    assertThat(second.count(Fault.COMMIT_CUT)).isZero();
    assertThat(second.table()).isEqualTo(first.table());
    assertThat(second.areFailed()).isFalse();
    second.add(row(Fault.CALM, 1, 1));
    assertThat(Results.open(file, "abc").areFailed()).isTrue();
  }

  @Test
  void results_ofAnotherRelease_areNotContinued() throws IOException {
    Path file = folder.resolve("faults.tsv");
    Results.open(file, "abc").add(row(Fault.CALM, 0, 0));
    assertThatThrownBy(() -> Results.open(file, "abd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("use --fresh to start again");
  }

  @Test
  void lineThatWasNotCompleted_isDropped() throws IOException {
    Path file = folder.resolve("faults.tsv");
    Results.open(file, "abc").add(row(Fault.CALM, 0, 0));
    String complete = Files.readString(file);
    Files.writeString(file, complete + "calm\t1\t5");
    assertThat(Results.open(file, "abc").count(Fault.CALM)).isEqualTo(1);
    assertThat(file).hasContent(complete);
  }

  @Test
  void run_thatCouldNotBeCompleted_orTookTooLong_isFailed() {
    assertThat(Row.aborted(Fault.CALM, 0, 1, new IOException("a\tb\nc")))
        .satisfies(row -> assertThat(row.isFailed()).isTrue())
        .satisfies(row -> assertThat(row.detail()).endsWith("a b c"));
    assertThat(row(Fault.CALM, 0, 0).isFailed()).isFalse();
    assertThat(lasting(Fault.CALM, 10_501).isFailed()).isTrue();
    assertThat(lasting(Fault.NODE_STOPPED, 10_501).isFailed()).isFalse();
  }

  @Test
  void table_addsCounts_andShowsTheLongestTimes() throws IOException {
    Results results = Results.open(folder.resolve("faults.tsv"), "abc");
    results.add(row(Fault.CALM, 0, 0));
    results.add(row(Fault.CALM, 1, 2));
    assertThat(results.table())
        .contains(
            "| `calm` | 2 | 2,002 | 2 | 40 | 0 | 60 | 0 | 0 | 4 | 0 | 0 | 1 | 7.0 s | 8.0 s |")
        .endsWith("| all | 2 | 2,002 | 2 | 40 | 0 | 60 | 0 | 0 | 4 | 0 | 0 | 1 | 7.0 s | 8.0 s |\n")
        .doesNotContain("node-killed");
  }

  private static Row row(Fault fault, int index, long lost) {
    return new Row(
        fault, index, -5, 1_001, lost, 20, 0, 30, 0, 0, 0, 2, 0, 5, 6, 7_000, 8_000, "node-1, 3 s");
  }

  private static Row lasting(Fault fault, long millis) {
    return new Row(fault, 0, -5, 1_001, 0, 20, 0, 30, 0, 0, 0, 2, 0, 5, 6, 7_000, millis, "");
  }
}
