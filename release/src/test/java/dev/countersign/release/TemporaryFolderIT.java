package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A temporary folder from which SQLite's library cannot be loaded is one line with the fix. */
class TemporaryFolderIT {
  @TempDir private Path folder;

  @Test
  void folder_thatDoesNotExist_isNamed() throws Exception {
    assertNamed(folder.resolve("none"), "does not exist");
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "'noexec,size=64m', 'cannot be used, perhaps because it is mounted noexec'",
    "'size=64k', is full",
    "ro, is read-only",
  })
  void folder_ofALimitedFileSystem_isNamed(String options, String fault) throws Exception {
    Path limited = Files.createDirectory(folder.resolve("limited"));
    Assumptions.assumeTrue(
        Command.in(folder, "mount", "-t", "tmpfs", "-o", options, "tmpfs", limited.toString())
                .run()
                .exit()
            == 0,
        "this machine does not let the test mount a tmpfs");
    try {
      assertNamed(limited, fault);
    } finally {
      Command.in(folder, "umount", limited.toString()).run().succeeded();
    }
  }

  private void assertNamed(Path temporary, String fault) throws IOException, InterruptedException {
    Command.Outcome failed =
        Command.in(
                folder,
                Release.directory().resolve("countersign").toString(),
                "serve",
                "--port",
                "0",
                "--data",
                "data")
            .with("COUNTERSIGN_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary)
            .run();
    assertThat(failed.exit()).as(failed.err()).isEqualTo(1);
    assertThat(failed.err().lines().filter(line -> line.startsWith("countersign: ")))
        .singleElement()
        .asString()
        .contains("the SQLite library cannot be loaded from the temporary folder " + temporary)
        .contains(", which " + fault + ": correct that, or name another folder with")
        .endsWith("COUNTERSIGN_JAVA_OPTS=-Dorg.sqlite.tmpdir=DIR");
    assertThat(failed.err() + failed.out()).doesNotContain("\tat ");
  }
}
