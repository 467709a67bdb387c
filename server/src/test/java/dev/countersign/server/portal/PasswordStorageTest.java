package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.TestOperators;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The storage of passwords in the database. */
@SharedConfiguredService
class PasswordStorageTest {

  @Test
  void passwords_areKeptAsArgon2idWithASaltEach(TestService service) {
    TestOperators.removeAll(service);
    for (String name : List.of("alice", "vera")) {
      OneTimeLink link = service.part(OperatorStore.class).add(name, OperatorRole.VIEWER);
      service
          .part(OneTimeLinkService.class)
          .redeem(link.token(), PortalClient.PASSWORD, InetAddress.getLoopbackAddress());
    }

    List<String> hashes =
        service
            .part(Database.class)
            .read(sql -> sql.sql("SELECT password_hash FROM operators").query(String.class).list());

    assertThat(hashes)
        .hasSize(2)
        .doesNotHaveDuplicates()
        // OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane; 128 bits of salt.
        .allMatch(
            hash ->
                hash.matches(
                    "\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}"));
    assertThat(hashes.stream().map(hash -> hash.split("\\$")[4])).doesNotHaveDuplicates();
  }
}
