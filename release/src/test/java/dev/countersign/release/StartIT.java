package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The class-data archive from which integrators' commands start: it is made, used, and never in the
 * way.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class StartIT {
  @TempDir private Path folder;
  private Path release;

  @BeforeEach
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void moveRelease() throws Exception {
    release = Release.copyTo(folder.resolve("a release/in another folder"));
    if (archives().isEmpty()) {
      countersign("rehearse").run().succeeded();
    }
  }

  private Command countersign(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "./countersign";
    System.arraycopy(words, 0, all, 1, words.length);
    return Command.in(release, all);
  }

  private List<Path> archives() throws IOException {
    return archivesIn(release);
  }

  private static List<Path> archivesIn(Path release) throws IOException {
    try (Stream<Path> files = Files.list(release.resolve("lib"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).toList();
    }
  }

  @Test
  void build_leavesAnArchive() throws IOException {
    assertThat(archivesIn(Release.directory())).isNotEmpty();
  }

  @Test
  void command_inAMovedFolder_startsFromTheArchive() throws Exception {
    assertThat(loadedClasses())
        .anyMatch(line -> line.matches(".*dev\\.countersign\\.cli\\.CallCommand .*shared.*top.*"));
  }

  /** Returns Java's log of the classes that {@code call --help} loads, with their sources. */
  private List<String> loadedClasses() throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    Command.Outcome help =
        countersign("call", "--help")
            .with("COUNTERSIGN_JAVA_OPTS", "-Xlog:class+load=info:file=" + log)
            .run()
            .succeeded();
    assertThat(help.out()).contains("countersign call");
    return Files.readAllLines(log);
  }

  @Test
  void archive_thatDoesNotFit_isPassedOverSilently() throws Exception {
    Command.Outcome fits = countersign("call", "--help").run().succeeded();
    for (Path archive : archives()) {
      byte[] bytes = Files.readAllBytes(archive);
      for (int i = 0; i < bytes.length; i += 97) {
        bytes[i]++;
      }
      Files.write(archive, bytes);
    }
    Command.Outcome without = countersign("call", "--help").run().succeeded();
    assertThat(without).isEqualTo(fits);
    assertThat(without.err()).isEmpty();
  }

  @Test
  void missingArchive_isMadeBehindTheFirstCommand() throws Exception {
    for (Path archive : archives()) {
      Files.delete(archive);
    }
    Command.Outcome first = countersign("call", "--help").run().succeeded();
    assertThat(first.err()).isEmpty();
    Awaitility.await()
        .atMost(Command.LIMIT)
        .until(() -> archives().stream().anyMatch(Files::isRegularFile) && !isInTheMaking());
    assertThat(loadedClasses()).anyMatch(line -> line.contains("shared objects file (top)"));
  }

  @Test
  void rehearsalThatWasKilled_isTakenOver() throws Exception {
    Path archive = archives().get(0);
    Path making = Files.createDirectory(Path.of(archive + ".making"));
    Files.setLastModifiedTime(making, FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));
    Files.delete(archive);
    countersign("call", "--help").run().succeeded();
    Awaitility.await()
        .atMost(Command.LIMIT)
        .until(() -> Files.isRegularFile(archive) && !isInTheMaking());
  }

  @Test
  void archive_ofOtherJars_isReplaced() throws Exception {
    Path before = archives().get(0);
    try (Stream<Path> jars = Files.list(release.resolve("lib"))) {
      Path jar =
          jars.filter(file -> file.getFileName().toString().startsWith("countersign-client-"))
              .findFirst()
              .orElseThrow();
      FileTime time = Files.getLastModifiedTime(jar);
      // Bytes after the end of a zip file do not matter to Java.
      Files.write(jar, new byte[1], StandardOpenOption.APPEND);
      Files.setLastModifiedTime(jar, time);
    }
    countersign("rehearse").run().succeeded();
    assertThat(archives()).hasSize(1).doesNotContain(before);
    assertThat(loadedClasses()).anyMatch(line -> line.contains("shared objects file (top)"));
  }

  private boolean isInTheMaking() throws IOException {
    try (Stream<Path> files = Files.list(release.resolve("lib"))) {
      return files.anyMatch(file -> file.toString().endsWith(".making"));
    }
  }

  @Test
  void rehearse_onRequest_saysNothingAndReplacesTheArchive() throws Exception {
    Path archive = archives().get(0);
    Files.write(archive, new byte[0]);
    Command.Outcome rehearsed = countersign("rehearse").run().succeeded();
    assertThat(rehearsed.out() + rehearsed.err()).isEmpty();
    assertThat(archive).isNotEmptyFile();
  }
}
