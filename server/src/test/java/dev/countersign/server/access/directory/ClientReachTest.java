package dev.countersign.server.access.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.ClientReach.ScopedListing;
import dev.countersign.server.access.directory.ClientReach.UnseenListing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClientReachTest {
  private final ClientReach reach =
      new ClientReach(
          Roles.parse(
              Map.of(
                  "biller", List.of("billing:invoices:read"),
                  "viewer", List.of("billing:invoices:read", "ledger:entries:read"))),
          Attributes.parse(
              Map.of(
                  "customerId", new AttributeProperties("text", false),
                  "region", new AttributeProperties("integer", false))),
          List.of(
              new ScopedListing(
                  "/billing/v1/invoices",
                  Permission.of("billing:invoices:read"),
                  Set.of("customerId")),
              new ScopedListing(
                  "/ledger/v1/entries",
                  Permission.of("ledger:entries:read"),
                  Set.of("region", "customerId"))));

  @Test
  void unseen_attributeMissing_namesListingAndAttribute() {
    assertThat(sentences("biller", Map.of()))
        .containsExactly("sees nothing of /billing/v1/invoices: no customerId");
  }

  @Test
  void unseen_severalMissing_namesThemAll() {
    assertThat(sentences("viewer", Map.of()))
        .containsExactly(
            "sees nothing of /billing/v1/invoices: no customerId",
            "sees nothing of /ledger/v1/entries: no customerId, no region");
  }

  @Test
  void unseen_valuesOrEverything_areEnough() {
    Map<String, AttributeSetting> both =
        Map.of(
            "customerId",
            AttributeSetting.of(List.of("4711")),
            "region",
            AttributeSetting.EVERYTHING);
    assertThat(sentences("viewer", both)).isEmpty();
  }

  @Test
  void unseen_valueThatNoLongerFits_countsAsMissing() {
    Map<String, AttributeSetting> unfit =
        Map.of(
            "customerId", AttributeSetting.of(List.of("4711")),
            "region", AttributeSetting.of(List.of("north")));
    assertThat(sentences("viewer", unfit))
        .containsExactly("sees nothing of /ledger/v1/entries: no region");
  }

  @Test
  void unseen_listingThatNoRoleMayRead_isNotNamed() {
    assertThat(sentences("nobody", Map.of())).isEmpty();
  }

  private List<String> sentences(String role, Map<String, AttributeSetting> settings) {
    return reach.unseen(List.of(role), settings).stream().map(UnseenListing::sentence).toList();
  }
}
