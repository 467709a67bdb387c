package dev.countersign.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.listings.ListingProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The demo beside the settings of an operator. */
@ExtendWith(OutputCaptureExtension.class)
class ServedListingsTest {
  private static final String TRANSACTIONS = "/ledger/v1/transactions";

  @TempDir private Path folder;

  @Test
  void demo_besideTheBuiltInSettings_addsListAttributeAndPermission() throws IOException {
    ServedListings configured = served("");
    assertThat(configured.includesDemo()).isFalse();
    assertThat(paths(configured)).containsExactly("/ledger/v1/wallets");

    ServedListings demo = configured.withDemo();
    assertThat(demo.includesDemo()).isTrue();
    assertThat(paths(demo)).containsExactly("/ledger/v1/wallets", TRANSACTIONS);
    assertThat(demo.attributes())
        .containsOnlyKeys("customerId")
        .containsValue(new AttributeProperties("text", false));
    assertThat(demo.roles().get("ledger-viewer"))
        .containsExactly("ledger:wallets:read", "ledger:transactions:read");
    assertThat(demo.roles().get("ledger-operator"))
        .containsExactly(
            "ledger:wallets:read", "ledger:wallets:create", "ledger:transactions:read");
  }

  @Test
  void demo_besideRolesOfTheOperator_changesNone() throws IOException {
    ServedListings demo =
        served("{ roles: { ledger-viewer: ['ledger:wallets:read'] } }").withDemo();
    assertThat(demo.includesDemo()).isTrue();
    assertThat(demo.roles().get("ledger-viewer")).containsExactly("ledger:wallets:read");
    assertThat(demo.roles()).hasSize(1);
  }

  @Test
  void demo_besideAnAttributeThatFits_keepsItAsDeclared() throws IOException {
    ServedListings demo =
        served("{ attributes: { customerId: { type: text, many: true } } }").withDemo();
    assertThat(paths(demo)).contains(TRANSACTIONS);
    assertThat(demo.attributes()).containsValue(new AttributeProperties("text", true)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"customerId: { type: uuid }", "customerid: { type: text }"})
  void demo_besideAnAttributeThatDoesNotFit_isLeftOut(String attribute, CapturedOutput output)
      throws IOException {
    ServedListings configured = served("{ attributes: { " + attribute + " } }");
    assertThat(configured.withDemo()).isEqualTo(configured);
    assertThat(output.getAll())
        .contains(
            "the demo's list /ledger/v1/transactions is left out: it needs the attribute customerId"
                + " of type text, which the configuration declares differently");
  }

  @Test
  void demo_besideAListingOfItsPath_isLeftOut(CapturedOutput output) throws IOException {
    ServedListings configured =
        served("{ listings: [{ path: " + TRANSACTIONS + ", table: t, key: id }] }");
    assertThat(configured.withDemo()).isEqualTo(configured);
    assertThat(output.getAll())
        .contains(
            "the demo's list " + TRANSACTIONS + " is left out: the configuration has its own");
  }

  private static List<String> paths(ServedListings served) {
    return served.listings().stream().map(ListingProperties::path).toList();
  }

  private ServedListings served(String countersign) throws IOException {
    Path file =
        Files.writeString(folder.resolve("countersign.yaml"), "countersign: " + countersign + "\n");
    return Configuration.read(file, ServedListings::of);
  }
}
