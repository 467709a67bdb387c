package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestService;
import dev.countersign.server.store.Database;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the database keeps of passwords. */
class PasswordStorageTest {

  @Test
  void passwords_areKeptAsArgon2idWithASaltEach(@TempDir Path data) {
    try (TestService service = TestService.start(data, 3)) {
      // Both have the same password.
      PortalClient.viewer(PortalClient.administrator(service), "vera");

      List<String> hashes =
          service
              .part(Database.class)
              .read(
                  sql -> sql.sql("SELECT password_hash FROM operators").query(String.class).list());

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
}
