package dev.countersign.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class MistypedClientIdTest {

  @Test
  void explain_oneSlip_namesTheIdThatWasMeant() {
    String meant = "cl-7zk3m9q2x5w8d1tr61";
    assertThat(MistypedClientId.explain(meant.toUpperCase(Locale.ROOT))).contains(meant);
    assertThat(MistypedClientId.explain(swapped(meant))).contains("it may be " + meant);
  }

  @Test
  void explain_severalSlips_asksToCopyAgain() {
    assertThat(MistypedClientId.explain("cl-abc"))
        .endsWith("it is cl- followed by 18 digits and letters");
  }

  private static String swapped(String id) {
    int i = 5;
    while (id.charAt(i) == id.charAt(i + 1)) {
      i++;
    }
    return id.substring(0, i) + id.charAt(i + 1) + id.charAt(i) + id.substring(i + 2);
  }
}
