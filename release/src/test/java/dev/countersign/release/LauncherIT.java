package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a release: how it finds its folder and Java, and what it passes on. */
class LauncherIT {
  @TempDir private Path folder;

  @Test
  void release_inFolderWithSpaces_runs() throws Exception {
    Path release = Release.copyTo(folder.resolve("a folder/with spaces"));
    Command.Outcome help =
        Command.in(folder, release.resolve("countersign").toString(), "--help").run().succeeded();
    assertThat(help.out()).contains("call", "list", "keys");
    assertThat(help.out()).contains("serve", "demo", "clients", "backup");
    assertThat(help.err()).isEmpty();
  }

  @Tag("full")
  @Test
  void noWords_andHelp_areTheHelpOfBothSides() throws Exception {
    String help = countersign("--help").run().succeeded().out();
    assertThat(countersign().run().succeeded().out()).isEqualTo(help);
    assertThat(countersign("help").run().succeeded().out()).isEqualTo(help);
  }

  @Tag("full")
  @Test
  void help_ofACommand_isThatOfItsSide() throws Exception {
    for (String command : List.of("clients add", "serve", "keys generate", "call")) {
      String[] words = (command + " --help").split(" ");
      String[] asked = ("help " + command).split(" ");
      String help = countersign(words).run().succeeded().out();
      assertThat(help).contains("countersign " + command);
      assertThat(countersign(asked).run().succeeded().out()).isEqualTo(help);
    }
  }

  @Tag("full")
  @Test
  void config_beforeACommand_isTheOptionOfOperators() throws Exception {
    Command.Outcome failed =
        countersign("--config", "none.yaml", "clients", "list", "--data", "nowhere").run();
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err()).contains("none.yaml");
  }

  @Tag("full")
  @Test
  void collector_inTheEnvironment_replacesOurs() throws Exception {
    countersign("--version").with("COUNTERSIGN_JAVA_OPTS", "-XX:+UseParallelGC").run().succeeded();
  }

  @Test
  void release_throughSymbolicLinks_runs() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("my bin"));
    Files.createSymbolicLink(bin.resolve("direct"), Release.directory().resolve("countersign"));
    Files.createSymbolicLink(bin.resolve("twice"), Path.of("direct"));
    Command.Outcome version =
        Command.in(folder, bin.resolve("twice").toString(), "--version").run();
    assertThat(version.succeeded().out()).startsWith("countersign ");
  }

  @Tag("full")
  @Test
  void archive_unpacked_isTheDirectory() throws Exception {
    Command.require("tar");
    Command.in(folder, "tar", "-xzf", Release.archive().toString()).run().succeeded();
    Path unpacked = folder.resolve(Release.directory().getFileName());
    assertThat(files(unpacked)).isEqualTo(files(Release.directory()));
    assertThat(files(unpacked))
        .contains("countersign rwxr-xr-x", "LICENSE rw-r--r--", "README.md rw-r--r--")
        .contains("docs/examples/openssl-curl.sh rwxr-xr-x", "docs/interface.md rw-r--r--")
        .contains("share/man/man1/countersign-call.1 rw-r--r--")
        .anyMatch(file -> file.matches("lib/countersign-server-.*\\.jar rw-r--r--"))
        .anyMatch(file -> file.matches("lib/countersign-cli-.*\\.jar rw-r--r--"));
    // With this option the launcher makes no class-data archive, which would outlive the folder.
    Command.in(unpacked, "./countersign", "--version")
        .with("COUNTERSIGN_JAVA_OPTS", "-Xshare:off")
        .run()
        .succeeded();
  }

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          // The class-data archive belongs to the Java of the build.
          .filter(file -> !file.toString().contains(".jsa"))
          .map(file -> described(root, file))
          .sorted()
          .toList();
    }
  }

  private static String described(Path root, Path file) {
    try {
      return root.relativize(file)
          + " "
          + PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void exitCode_ofCommandThatFails_is1WithOneLine() throws Exception {
    Command.Outcome failed = countersign("clients", "list", "--data", "nowhere").run();
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err().lines()).hasSize(1);
    assertThat(failed.out()).isEmpty();
  }

  @Tag("full")
  @Test
  void exitCode_ofMistypedCommand_is2() throws Exception {
    assertThat(countersign("serve", "--no-such-option").run().exit()).isEqualTo(2);
  }

  @Tag("full")
  @Test
  void help_ofACommandThatThereIsNot_is2() throws Exception {
    Command.Outcome failed = countersign("help", "lsit").run();
    assertThat(failed.exit()).isEqualTo(2);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).isEqualTo("usage: there is no command 'lsit'; did you mean list?\n");
  }

  @Tag("full")
  @Test
  void lackOfMemory_isToldOnStandardErrorAlone() throws Exception {
    String key = folder.resolve("partner").toString();
    countersign("keys", "generate", "--out", key, "--bits", "2048").run().succeeded();
    Path large = Files.writeString(folder.resolve("large.http"), "a".repeat(15_000_000));
    Command.Outcome failed =
        countersign("verify", "--request", large.toString(), "--public-key", key + ".pub")
            .with("COUNTERSIGN_JAVA_OPTS", "-Xmx16m")
            .run();
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err())
        .isEqualTo("failed: Java ran out of memory; set COUNTERSIGN_JAVA_OPTS=-Xmx2g\n");
  }

  @Tag("full")
  @Test
  void signal_reachesJava() throws Exception {
    String data = folder.resolve("data").toString();
    Served served = Served.start(Release.directory(), "serve", "--port", "0", "--data", data);
    assertThat(served.terminate()).isEqualTo(143);
  }

  @Tag("full")
  @Test
  void options_inTheEnvironment_reachJava() throws Exception {
    Command.Outcome shown =
        countersign("--help").with("COUNTERSIGN_JAVA_OPTS", "-Xmx64m -version").run().succeeded();
    assertThat(shown.err()).contains("version");
  }

  @Tag("full")
  @Test
  void arguments_withSpacesAndPatterns_arePassedAsTheyAre() throws Exception {
    Command.Outcome failed = countersign("clients", "show", "a * b", "--data", "no where").run();
    assertThat(failed.err()).contains("no where");
  }

  @Tag("full")
  @Test
  void javaHome_thatIsTooOld_isPassedOver() throws Exception {
    Path old = Files.createDirectories(folder.resolve("jdk-17/bin"));
    Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\necho 17 ran\nexit 3\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("jdk-17/release"), "JAVA_VERSION=\"17.0.15\"\n");
    String path = Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");
    Command.Outcome version =
        countersign("--version")
            .with("JAVA_HOME", old.getParent().toString())
            .with("PATH", path)
            .run()
            .succeeded();
    assertThat(version.out()).startsWith("countersign ");
  }

  private static Command countersign(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "./countersign";
    System.arraycopy(words, 0, all, 1, words.length);
    return Command.in(Release.directory(), all);
  }
}
