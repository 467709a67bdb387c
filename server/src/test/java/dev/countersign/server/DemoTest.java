package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class DemoTest {

  @Test
  void demo_besideSettingsOfARealService_usesNoneOfThem(@TempDir Path folder) throws IOException {
    String yaml =
        """
        countersign:
          public-urls: ['https://api.example.com']
          roles: { other: ['ledger:wallets:read'] }
        spring:
          datasource: { url: 'jdbc:postgresql://localhost:1/production' }
        """;
    Files.writeString(folder.resolve("countersign.yaml"), yaml);
    Files.writeString(folder.resolve("application.yaml"), yaml);
    Map<String, String> environment =
        Map.of(
            "SPRING_DATASOURCE_URL", "jdbc:postgresql://localhost:1/production",
            "COUNTERSIGN_CONFIG", "countersign.yaml",
            "COUNTERSIGN_PUBLICURLS_0_", "https://api.example.com",
            "SPRING_APPLICATION_JSON", "{\"countersign\":{\"access\":{\"body-limit\":\"0\"}}}");

    try (CommandProcess demo = CommandProcess.start(folder, environment, "demo", "--port", "0")) {
      demo.await(() -> demo.out().contains("Ctrl-C ends the service"));

      assertThat(demo.out())
          .contains("page 0 of 50, 5 of 250 wallets")
          .contains("Answer: 401, signature_mismatch")
          .containsPattern("Acme Bank +cust-1001 +200 +1262\\R")
          .containsPattern("Borealis Pay +cust-1002 +200 +993\\R")
          .contains("./countersign list /ledger/v1/wallets --base-url http://localhost:");
      assertThat(demo.err()).isEmpty();
      demo.terminate();
      demo.exitCode();
    }
  }
}
