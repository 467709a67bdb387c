package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.release.faults.CommitCut.Primary;
import org.junit.jupiter.api.Test;

/** A campaign is long enough to say something. */
class FaultTest {
  @Test
  void repetitions_areEnough() {
    long failovers =
        CommitCut.all().stream().filter(cut -> cut.primary() == Primary.FAILS_OVER).count();
    assertThat(Fault.PRIMARY_KILLED.repetitions() + Fault.PRIMARY_CHANGED.repetitions() + failovers)
        .isGreaterThanOrEqualTo(50);
    assertThat(Fault.PRIMARY_FROZEN.repetitions()).isGreaterThanOrEqualTo(10);
    assertThat(Fault.DATABASE_PAUSED.repetitions()).isGreaterThanOrEqualTo(20);
    assertThat(Fault.NETWORK_SILENT.repetitions()).isGreaterThanOrEqualTo(30);
    assertThat(Fault.NODE_KILLED.repetitions()).isGreaterThanOrEqualTo(20);
    assertThat(Fault.NODE_STOPPED.repetitions()).isGreaterThanOrEqualTo(20);
    assertThat(Fault.CLOCK_STEPPED.repetitions()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void commitCuts_areEachPlaceOnce_andACampaignHasThemAll() {
    assertThat(CommitCut.all()).doesNotHaveDuplicates().hasSize(Fault.COMMIT_CUT.repetitions());
  }
}
