package dev.countersign.server.portal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.portal.PortalClient;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The check of the audit trail against a hash that somebody noted. */
@SharedService
class AuditPagesTest {
  private static PortalClient administrator;
  private static AuditEntry noted;

  @BeforeAll
  static void start(TestService service, PortalClient signedIn) {
    administrator = signedIn;
    OperatorStore operators = service.part(OperatorStore.class);
    operators.add("Audit one " + System.identityHashCode(service), OperatorRole.VIEWER);
    noted = service.part(AuditTrail.class).page(AuditFilter.all(), 0, 1).entries().getFirst();
    operators.add("Audit two " + System.identityHashCode(service), OperatorRole.VIEWER);
  }

  @Test
  void check_notedHash_namesItsEntryInAnyCase() {
    String upper = noted.hash().toUpperCase(Locale.ROOT);

    for (String hash : new String[] {noted.hash(), upper, "%20" + upper + "%0A"}) {
      assertThat(check(hash))
          .contains("alert-success")
          .containsPattern("; entry " + noted.seq() + " of \\d+ has the noted hash")
          .doesNotContain("so only the chain was checked");
    }
  }

  @Test
  void check_zeros_proveNothing() {
    assertThat(check("0".repeat(64)))
        .contains("alert-danger", "64 zeros are the head of an empty audit trail")
        .doesNotContain("alert-success");
  }

  @Test
  void check_hashOfNoEntry_isNotFound() {
    assertThat(check("F".repeat(64)))
        .contains("alert-danger", "no entry of the audit trail has the hash ffff");
  }

  @Test
  void check_noHash_checksTheChainAndSaysSo() {
    assertThat(check("xyz")).contains("so only the chain was checked", "alert-success");
    assertThat(check("")).contains("alert-success").doesNotContain("noted hash", "only the chain");
  }

  private static String check(String hash) {
    return administrator.get("/audit/check?head=" + hash).expect(200).body();
  }
}
