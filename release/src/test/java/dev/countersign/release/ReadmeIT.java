package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.release.Markdown.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows the README in a release from top to bottom: runs shell blocks and Java, and uses YAML as
 * the configuration. Only the port differs, because 8080 may be in use.
 */
class ReadmeIT {
  private static final String BACKGROUND = "runs in the background";
  private static final String CTRL_C = "runs until Ctrl-C";
  private static final String NOT_RUN = "not run: ";
  private static final String SNIPPET =
      """
      import dev.countersign.client.CountersignClient;
      import dev.countersign.client.keys.PrivateKeyFile;
      import java.net.URI;
      import java.nio.file.Path;
      import java.util.Map;
      import tools.jackson.databind.JsonNode;

      class Snippet {
        public static void main(String[] args) {
          var baseUri = URI.create(System.getenv("COUNTERSIGN_BASE_URL"));
          var clientId = System.getenv("COUNTERSIGN_CLIENT_ID");
      %s
        }
      }
      """;

  @TempDir private Path folder;
  private Path release;
  private ShellSession session;
  private int run;

  @BeforeEach
  void unpack() throws IOException {
    Command.require("openssl", "curl");
    release = Release.copyTo(folder.resolve("countersign"));
    session = new ShellSession(release);
  }

  @AfterEach
  void stop() {
    if (session != null) {
      session.close();
    }
  }

  @Test
  void firstBlock_ofTheRelease_isTheDemo() throws Exception {
    follow(Markdown.read(release.resolve("README.md")).blocks().subList(0, 1));
    assertThat(run).isEqualTo(1);
  }

  @Tag("full")
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void everyBlock_inItsOrder_works() throws Exception {
    Command.require("sqlite3");
    String last = follow(Markdown.read(release.resolve("README.md")).blocks());
    assertThat(run).as("blocks that ran").isEqualTo(14);
    assertThat(release.resolve("wallets.csv")).content().contains("currencyCode", "Travel");
    assertThat(Files.readAllLines(release.resolve("wallets.csv"))).hasSizeGreaterThan(250);
    JsonNode invoices =
        JsonMapper.shared().readTree(last.substring(last.lastIndexOf("{\"content")));
    assertThat(invoices.get("totalElements").asInt()).isEqualTo(2);
    assertThat(invoices.get("content").get(0).get("number").asString()).isEqualTo("2026-004");
    assertThat(invoices.get("content").get(1).get("number").asString()).isEqualTo("2026-002");
  }

  private String follow(List<Block> blocks) throws Exception {
    String last = "";
    for (Block block : blocks) {
      switch (block.language()) {
        case "sh" -> last = shell(block, last);
        case "java" -> last = java(block.text());
        case "yaml" -> configure(block.text());
        default -> throw new AssertionError("nothing runs a block of " + block.language());
      }
    }
    return last;
  }

  private String shell(Block block, String last) throws Exception {
    if (block.note().startsWith(NOT_RUN)) {
      return last;
    }
    run++;
    if (block.note().startsWith(CTRL_C)) {
      demo(words(block));
      return last;
    }
    if (block.note().startsWith(BACKGROUND)) {
      session.serve(block.text());
      return last;
    }
    assertThat(block.note()).as("a note that no test knows").isEmpty();
    return session.run(block.text()).out();
  }

  /** Returns the words after {@code ./countersign}, with another port. */
  private static String[] words(Block block) {
    String line = block.text().strip();
    assertThat(line).startsWith("./countersign ").doesNotContain("\n");
    return (line.substring("./countersign ".length()) + " --port 0").split(" ");
  }

  private void demo(String[] words) throws Exception {
    try (Served demo = Served.start(release, words)) {
      demo.awaitLine(Pattern.compile("(?m)^Ctrl-C ends"));
      assertThat(demo.output())
          .contains("Answer: 200", "Answer: 401, signature_mismatch")
          .containsPattern("Acme Bank +cust-1001 +200 +1262\\b")
          .containsPattern("Borealis Pay +cust-1002 +200 +993\\b");
    }
  }

  /**
   * Runs Java statements with the jars of the release and the variables that earlier blocks
   * exported.
   */
  private String java(String statements) throws Exception {
    run++;
    Files.writeString(
        release.resolve("Snippet.java"), String.format(Locale.ROOT, SNIPPET, statements));
    String out = session.run("\"$JAVA_HOME/bin/java\" -cp 'lib/*' Snippet.java").out();
    assertThat(out.lines()).contains("Savings", "Rent").hasSizeGreaterThan(250);
    return out;
  }

  private void configure(String yaml) throws IOException {
    run++;
    Path file = release.resolve("countersign.yaml");
    assertThat(file)
        .as("suggested")
        .content()
        .contains("table: invoices", "issuedAt: { type: timestamp");
    Files.writeString(file, yaml);
  }
}
