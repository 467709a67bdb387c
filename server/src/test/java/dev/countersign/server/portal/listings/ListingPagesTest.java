package dev.countersign.server.portal.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.store.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the listings, and what it loads later. */
@SharedService
class ListingPagesTest {
  private static final String OF_WALLETS = "?path=/ledger/v1/wallets";

  @Test
  void page_ofListings_loadsTheirSortsLater(PortalClient portal) {
    PortalClient.Answer page = portal.get("/listings");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body())
        .contains(
            "hx-get=\"/portal/listings/sorts?path=/ledger/v1/wallets\"",
            ">createdAt, currencyCode, name</div>");
  }

  @Test
  void sorts_ofTheBuiltInListing_haveAnIndex(PortalClient portal) {
    String sorts = portal.get("/listings/sorts" + OF_WALLETS).body();
    assertThat(sorts)
        .contains("createdAt", "currencyCode", "name", "<code>id</code>", "the order without")
        .contains(">index</span>")
        .doesNotContain("no index", "CREATE INDEX");
  }

  @Test
  void sort_withoutItsIndex_hasTheStatementToCopy(TestService service, PortalClient portal) {
    Database database = service.part(Database.class);
    database.write(sql -> sql.sql("DROP INDEX wallets_by_name").update());
    try {
      assertThat(portal.get("/listings/sorts" + OF_WALLETS).body())
          .containsOnlyOnce("no index")
          .contains(
              "CREATE INDEX &quot;wallets_by_name&quot; ON &quot;wallets&quot;"
                  + " (&quot;name&quot; COLLATE BINARY, &quot;id&quot; COLLATE BINARY);");
    } finally {
      database.write(sql -> sql.sql("CREATE INDEX wallets_by_name ON wallets (name, id)").update());
    }
  }

  @Test
  void page_afterACountThatTookTooLong_saysWhatWouldMakeItFaster(
      TestService service, PortalClient portal) {
    Totals totals = service.part(Totals.class);
    String advice = "run CREATE INDEX ON \"wallets\"";
    totals.reportTimeout("/ledger/v1/wallets", () -> advice);
    Awaitility.await()
        .until(() -> totals.slowCountAdvice("/ledger/v1/wallets"), Optional.of(advice)::equals);
    assertThat(portal.get("/listings").body())
        .containsOnlyOnce("could not count the records")
        .contains("total_unavailable", "run CREATE INDEX ON &quot;wallets&quot;");
  }

  @Test
  void page_ofAListingWhoseTableIsGone_saysWhatTheDatabaseSays(@TempDir Path data) {
    try (TestService service = TestService.start(data, 0)) {
      PortalClient portal = PortalClient.viewer(service);
      service
          .part(Database.class)
          .write(sql -> sql.sql("ALTER TABLE wallets RENAME TO gone").update());
      for (String part : List.of("sorts", "total")) {
        PortalClient.Answer answer = portal.get("/listings/" + part + OF_WALLETS);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("able cannot be read: no such table: wallets");
      }
    }
  }

  @Test
  void sorts_ofAnUnknownListing_areNotFound(PortalClient portal) {
    assertThat(portal.get("/listings/sorts?path=/ledger/v1/nothing").status()).isEqualTo(404);
  }
}
