package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.release.Markdown;
import dev.countersign.release.Markdown.Block;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code release/faults}; a campaign is started by hand. */
class FaultsIT {
  private static final Path ROOT = Path.of(System.getProperty("countersign.root"));

  @TempDir private Path folder;

  @Test
  void help_namesEveryFault() throws Exception {
    List<String> named =
        Pattern.compile("(?m)^  ([a-z]+-?[a-z]*) {2,}[a-zP]")
            .matcher(run("--help").replaceFirst("(?s).*\\nFaults:\\n", ""))
            .results()
            .map(line -> line.group(1))
            .toList();
    assertThat(named).isEqualTo(Arrays.stream(Fault.values()).map(Fault::option).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--only nothing",
        "--only primary.killed",
        "--only seed",
        "--repeat 0",
        "--repeat 10000",
        "--repeat x",
        "--results nowhere/faults.tsv",
        "--seed",
        "--seed -1",
        "--seed 0",
        "--index -1",
        "--every"
      })
  void options_thatMakeNoSense_areRefusedBeforeTheBuild(String options) throws Exception {
    assertThat(run(options.split(" "))).startsWith("2\nrelease/faults: ").hasLineCount(2);
  }

  @Test
  void guide_hasANameForEachBlock() throws IOException {
    List<Block> blocks =
        Markdown.read(ROOT.resolve("docs/operating.md"))
            .section("## From one node to three")
            .blocks();
    assertThat(blocks).extracting(Block::note).doesNotHaveDuplicates().doesNotContain("");
    String cluster =
        Files.readString(
            ROOT.resolve("release/src/test/java/dev/countersign/release/faults/Cluster.java"));
    assertThat(blocks)
        .as("blocks that the script runs")
        .allSatisfy(block -> assertThat(cluster).contains("guide.block(\"" + block.note() + "\")"));
  }

  /** Returns the exit code and the output. */
  private String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("release/faults").toString()));
    command.addAll(List.of(options));
    Path out = folder.resolve("out");
    int exit =
        Waits.forExit(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start());
    return exit + "\n" + Files.readString(out);
  }
}
