package dev.countersign.server.once;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PurgeBacklogTest {
  @Test
  void describe_writes_givesTheirTimes() {
    assertThat(PurgeBacklog.describe("beside a purge", new long[] {1_000_000, 2_000_000}))
        .isEqualTo("2 writes beside a purge: median 2.0 ms, 99% within 2.0 ms, longest 2.0 ms");
  }

  @Test
  void describe_noWrite_saysSo() {
    assertThat(PurgeBacklog.describe("beside a purge", new long[0]))
        .isEqualTo("0 writes beside a purge");
  }
}
