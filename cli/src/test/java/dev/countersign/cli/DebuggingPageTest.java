package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.explain.Capture;
import dev.countersign.signatures.diagnosis.LikelyCause;
import dev.countersign.signatures.keys.PublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that docs/debugging.md shows what the commands print. */
class DebuggingPageTest {
  private static final Path PAGE = Path.of("..", "docs", "debugging.md");

  @TempDir private Path home;

  @Test
  void page_explanationOfACapture_isTheOutput() throws IOException {
    Path request = home.resolve("call.http");
    Path key = home.resolve("my.pub");
    Capture capture =
        Capture.get("/ledger/v1/wallets?sort=name,asc").with("Host", "api.example.com:443");
    Files.writeString(request, capture.text());
    Files.writeString(key, PublicKeys.toPem(Capture.publicKey()));
    Run run =
        new TestShell(home)
            .run("explain", "--request", request.toString(), "--public-key", key.toString());
    assertThat(Files.readString(PAGE)).contains(run.out() + run.err());
  }

  @Test
  void page_causes_areSpelledAsTheyArePrinted() throws IOException {
    String page = Files.readString(PAGE);
    for (LikelyCause cause :
        List.of(
            LikelyCause.AUTHORITY_DIFFERS,
            LikelyCause.QUERY_RE_ENCODED,
            LikelyCause.DEFAULT_PORT,
            LikelyCause.DATE_DIFFERS)) {
      assertThat(page).contains("| " + cause.sentence().split(":")[0] + " |");
    }
  }
}
