package dev.countersign.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PresignedRequestsTest {

  @Test
  void targets_areAThousandAndAllDifferent() {
    assertThat(PresignedRequests.targets()).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void targets_askForTwentyRowsOnAverageAndForNoneBehindTheEnd() {
    int rows = 0;
    for (String target : PresignedRequests.targets()) {
      int size = number(target, "size");
      rows += size;
      assertThat((number(target, "page") + 1) * size).as(target).isLessThanOrEqualTo(250);
    }
    assertThat(rows).isEqualTo(20 * 1_000);
  }

  private static int number(String target, String parameter) {
    return Integer.parseInt(target.replaceAll(".*[?&]" + parameter + "=(\\d+).*", "$1"));
  }

  @Tag("full")
  @Test
  void lines_holdTargetAndHeadersPartedByTabs() {
    Partner partner = new Partner(CryptoProvider.jdk());
    List<String> lines =
        PresignedRequests.lines("http://127.0.0.1:1", partner.signer(), Instant.EPOCH);
    assertThat(lines).hasSize(1_000);
    List<String> parts = Arrays.asList(lines.get(0).split("\t"));
    assertThat(parts).hasSize(7);
    assertThat(parts.get(0)).isEqualTo(PresignedRequests.targets().get(0));
    assertThat(parts).contains("Date", "Thu, 01 Jan 1970 00:00:00 GMT", "Signature");
    assertThat(parts.get(parts.indexOf("Signature-Input") + 1))
        .startsWith("sig=(\"@method\" \"@target-uri\" \"date\");created=0;");
  }
}
