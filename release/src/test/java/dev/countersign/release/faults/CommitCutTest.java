package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitCutTest {
  /** Four places in the request with three ends each, and three in the answer with two. */
  @Test
  void all_areEachPlaceOnce() {
    assertThat(CommitCut.all()).doesNotHaveDuplicates().hasSize(4 * 3 + 3 * 2);
  }
}
