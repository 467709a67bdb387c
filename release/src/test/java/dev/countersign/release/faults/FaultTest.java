package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultTest {
  @Test
  void commitCuts_areEachPlaceOnce_andACampaignHasThemAll() {
    assertThat(CommitCut.all()).doesNotHaveDuplicates().hasSize(Fault.COMMIT_CUT.repetitions());
  }
}
