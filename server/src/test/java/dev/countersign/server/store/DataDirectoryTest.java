package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path temporary;

  @Test
  void prepare_missing_isMadeForItsOwnerAlone() throws IOException {
    Path directory = temporary.resolve("a/b/data");
    DataDirectory.prepare(directory);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  @Test
  void prepare_aFile_isRefused() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    assertThatThrownBy(() -> DataDirectory.prepare(file))
        .isInstanceOf(StoreException.class)
        .hasMessage("the data directory " + file + " is not a directory: choose another path");
  }

  @Test
  void prepare_readOnly_isRefused() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("data"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThatThrownBy(() -> DataDirectory.prepare(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is not writable");
  }

  @Test
  void lockForServing_twiceInOneProcess_isRefusedUntilClosed() {
    DataDirectory directory = DataDirectory.prepare(temporary);
    try (var lock = directory.lockForServing()) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> DataDirectory.prepare(temporary).lockForServing())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is already served by this process: stop that process first");
    }
    directory.lockForServing().close();
  }

  @Test
  void lockForServing_heldByAnotherProcess_isRefusedWithItsPid() throws Exception {
    Process holder = hold();
    try {
      assertThat(holder.getInputStream().read()).isEqualTo('!');
      DataDirectory directory = DataDirectory.prepare(temporary);
      assertThatThrownBy(directory::lockForServing)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is already served by process " + holder.pid());
    } finally {
      Waits.forExit(holder.destroyForcibly());
    }
    DataDirectory.prepare(temporary).lockForServing().close();
  }

  @Test
  void lockForServing_refused_keepsTheFirstLock() throws IOException {
    DataDirectory directory = DataDirectory.prepare(temporary);
    try (var lock = directory.lockForServing()) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(directory::lockForServing).isInstanceOf(StoreException.class);
      assertThat(Files.readString(temporary.resolve("serve.lock")).strip())
          .isEqualTo(Long.toString(ProcessHandle.current().pid()));
    }
  }

  /** Another class loader of this process does not see which directories are served. */
  @Test
  void lockForServing_fileLockedInThisProcess_isRefusedAndKeepsThatLock() throws Exception {
    DataDirectory directory = DataDirectory.prepare(temporary);
    try (FileChannel channel =
            FileChannel.open(
                temporary.resolve("serve.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(directory::lockForServing)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is already served by this process: stop that process first");
      Process other = hold();
      try {
        assertThat(other.getInputStream().read()).as("output of another process").isEqualTo(-1);
      } finally {
        Waits.forExit(other.destroyForcibly());
      }
    }
    directory.lockForServing().close();
  }

  private Process hold() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            temporary.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Another process that serves. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (var lock = DataDirectory.prepare(Path.of(arguments[0])).lockForServing()) {
        System.out.print(lock == null ? "?" : "!");
        System.out.flush();
        Thread.sleep(TimeUnit.MINUTES.toMillis(10));
      }
    }
  }
}
