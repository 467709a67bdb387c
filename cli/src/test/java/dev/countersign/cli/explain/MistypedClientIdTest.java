package dev.countersign.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.ClientId;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MistypedClientIdTest {

  @Test
  void is_anyChange_agreesWithTheService() {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      String id = ClientId.generate(random).value();
      assertThat(MistypedClientId.is(id)).isFalse();
      char[] changed = id.toCharArray();
      changed[random.nextInt(id.length())] = (char) ('0' + random.nextInt(60));
      String other = new String(changed);
      assertThat(MistypedClientId.is(other)).as(other).isEqualTo(ClientId.isMistyped(other));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"partner-7", "CL-x", "cl-", "cl-7zk3m9q2x5w8d1tr6", "Cl-7zk3"})
  void is_otherForms_agreesWithTheService(String id) {
    assertThat(MistypedClientId.is(id)).isEqualTo(ClientId.isMistyped(id));
  }

  @Test
  void explain_oneSlip_namesTheIdThatWasMeant() {
    String id = "cl-7zk3m9q2x5w8d1tr61";
    String meant = MistypedClientId.is(id) ? ClientId.generate(new Random(1)).value() : id;
    assertThat(MistypedClientId.explain(meant.toUpperCase(Locale.ROOT))).contains(meant);
    assertThat(MistypedClientId.explain(swapped(meant))).contains("it may be " + meant);
  }

  @Test
  void explain_severalSlips_asksToCopyAgain() {
    assertThat(MistypedClientId.explain("cl-abc")).endsWith("it is cl- and 18 digits and letters");
  }

  private static String swapped(String id) {
    int i = 5;
    while (id.charAt(i) == id.charAt(i + 1)) {
      i++;
    }
    return id.substring(0, i) + id.charAt(i + 1) + id.charAt(i) + id.substring(i + 2);
  }
}
