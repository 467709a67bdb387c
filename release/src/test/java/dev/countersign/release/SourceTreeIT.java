package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher in a source tree: when it builds. A short script replaces Maven. */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class SourceTreeIT {
  @TempDir private Path folder;
  private Path tree;
  private Path source;
  private Path builds;

  @BeforeEach
  void plantTree() throws IOException {
    tree = Files.createDirectories(folder.resolve("source tree"));
    source = tree.resolve("server/src/main/java/Application.java");
    builds = tree.resolve("builds");
    Files.createDirectories(source.getParent());
    Files.createDirectories(tree.resolve("release/src/assembly"));
    Files.writeString(source, "");
    Files.writeString(tree.resolve("pom.xml"), "");
    Files.writeString(tree.resolve("server/pom.xml"), "");
    Files.copy(Release.sources().resolve("countersign"), tree.resolve("countersign"));
    script("countersign", Files.readString(tree.resolve("countersign")));
    script(
        "mvnw",
        String.format(
            Locale.ROOT,
            """
            #!/bin/sh
            sleep 1
            echo "$*" >>builds
            mkdir -p release/target/countersign-1
            cp -Rp '%s/lib' release/target/countersign-1/lib
            """,
            Release.directory()));
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(tree.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Command.Outcome run() throws IOException, InterruptedException {
    return Command.in(folder, tree.resolve("countersign").toString(), "--version").run();
  }

  @Test
  void firstRun_buildsAndSaysSo() throws Exception {
    Command.Outcome first = run().succeeded();
    assertThat(first.out()).startsWith("countersign ");
    assertThat(first.err()).contains("the first build").contains("minutes");
    assertThat(Files.readAllLines(builds))
        .containsExactly("-q -DskipTests -Dspotless.check.skip -pl release -am package");
  }

  @Test
  void secondRun_doesNotBuild() throws Exception {
    run().succeeded();
    assertThat(run().succeeded().err()).isEmpty();
    assertThat(Files.readAllLines(builds)).hasSize(1);
  }

  @Test
  void changedAddedAndRemovedSources_areBuilt() throws Exception {
    run().succeeded();
    Files.writeString(source, "// changed");
    assertThat(run().succeeded().err()).contains("sources have changed");
    Path added = Files.writeString(source.resolveSibling("Added.java"), "");
    run().succeeded();
    Files.delete(added);
    run().succeeded();
    Files.writeString(tree.resolve("server/pom.xml"), "<!-- changed -->");
    run().succeeded();
    assertThat(Files.readAllLines(builds)).hasSize(5);
    run().succeeded();
    assertThat(Files.readAllLines(builds)).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "cli", "release"})
  void newSource_ofAnyModule_isBuilt(String module) throws Exception {
    run().succeeded();
    Path added = tree.resolve(module + "/src/main/java/Added.java");
    Files.createDirectories(added.getParent());
    Files.writeString(added, "");
    run().succeeded();
    assertThat(Files.readAllLines(builds)).hasSize(2);
  }

  @Test
  void failingBuild_isShownAndTriedAgain() throws Exception {
    String works = Files.readString(tree.resolve("mvnw"));
    script("mvnw", "#!/bin/sh\necho 'what went wrong'\nexit 1\n");
    Command.Outcome failed = run();
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err()).contains("what went wrong").contains("the build failed");
    assertThat(failed.out()).isEmpty();
    script("mvnw", works);
    run().succeeded();
  }

  @Test
  void threeAtOnce_buildOnce() throws Exception {
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Command launcher = Command.in(folder, tree.resolve("countersign").toString(), "--version");
      all.add(launcher.start(folder.resolve("out" + i), folder.resolve("err" + i)));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(Waits.forExit(all.get(i), Command.LIMIT))
          .as(Files.readString(folder.resolve("err" + i)))
          .isZero();
      assertThat(folder.resolve("out" + i)).content().startsWith("countersign ");
    }
    assertThat(Files.readAllLines(builds)).hasSize(1);
  }

  @Test
  void withoutFlock_deadHolderIsTakenOver() throws Exception {
    // A folder with the tools that the launcher uses, except flock.
    Path tools = Files.createDirectories(folder.resolve("tools"));
    String needed = "sh sed head find ln readlink rm mkdir rmdir mv cp cat sleep dirname";
    for (String tool : needed.split(" ")) {
      Command.Outcome where = Command.shell(folder, "command -v " + tool).run().succeeded();
      Files.createSymbolicLink(tools.resolve(tool), Path.of(where.firstLine()));
    }
    Process dead = new ProcessBuilder("true").start();
    Waits.forExit(dead);
    Path target = Files.createDirectories(tree.resolve("release/target"));
    Files.createSymbolicLink(target.resolve(".build.holder"), Path.of("" + dead.pid()));
    Command.in(folder, tree.resolve("countersign").toString(), "--version")
        .with("PATH", tools.toString())
        .run()
        .succeeded();
    assertThat(Files.readAllLines(builds)).hasSize(1);
    assertThat(Files.isSymbolicLink(target.resolve(".build.holder"))).isFalse();
  }
}
