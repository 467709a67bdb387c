package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be read for a while, by any user: root may read any file. */
class WatchedFileTest {
  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();
  private boolean denied;
  private RuntimeException failure;
  private int reads;
  private Path path;
  private WatchedFile file;
  private PreparedKey first;

  @BeforeEach
  void keyInUse() {
    path = folder.resolve("partner.key");
    NewKeyPair.generate(2048).writePrivateKeyTo(path);
    file =
        new WatchedFile(
            path,
            opened -> {
              reads++;
              if (denied) {
                throw new AccessDeniedException(opened.toString());
              }
              return Files.newInputStream(opened);
            },
            bytes -> {
              if (failure != null) {
                throw failure;
              }
              return new PemKey(path, null).read(bytes);
            },
            warnings::add);
    first = file.key();
  }

  @Test
  void file_deniedAndThenAllowed_isReadThoughItsStampIsTheSame() throws Exception {
    Files.writeString(path, Files.readString(path) + "\n");
    denied = true;
    assertThat(file.key()).isSameAs(first);
    assertThat(file.key()).isSameAs(first);
    assertThat(warnings)
        .containsExactly(
            path
                + ": cannot be read: AccessDeniedException;"
                + " the previously read key stays in use");

    denied = false;

    PreparedKey second = file.key();
    assertThat(second).isNotSameAs(first);
    assertThat(file.key()).isSameAs(second);
  }

  @Test
  void file_deniedInAnotherState_isWarnedOfAgain() throws Exception {
    denied = true;
    Files.writeString(path, "some");
    file.key();
    Files.writeString(path, "others");
    file.key();

    assertThat(warnings).hasSize(2);
  }

  @Test
  void passphrase_thatCannotBeHadForAWhile_leavesTheOldKeyAndIsAskedForAgain() throws Exception {
    Files.writeString(path, Files.readString(path) + "\n");
    failure = new IllegalStateException("the vault says s3cret");
    assertThat(file.key()).isSameAs(first);
    assertThat(file.key()).isSameAs(first);
    assertThat(warnings)
        .containsExactly(
            path
                + ": cannot be read: IllegalStateException;"
                + " the previously read key stays in use");

    failure = null;

    assertThat(file.key()).isNotSameAs(first);
  }

  @Test
  void passphrase_thatIsNotGivenForAWhile_isAskedForAgain() throws Exception {
    Files.writeString(path, Files.readString(path) + "\n");
    failure = catchThrowableOfType(KeyException.class, () -> Secret.ask(() -> null, "it", "PIN"));
    assertThat(file.key()).isSameAs(first);

    failure =
        catchThrowableOfType(
            KeyException.class, () -> Secret.ask(WatchedFileTest::shut, "it", "PIN"));
    assertThat(file.key()).isSameAs(first);
    assertThat(warnings)
        .containsExactly("it: no PIN was given; the previously read key stays in use");

    failure = null;

    assertThat(file.key()).isNotSameAs(first);
  }

  private static char[] shut() {
    throw new KeyException("the vault is closed");
  }

  @Test
  void passphrase_thatCannotBeHadAtFirst_isTheCallersException() {
    failure = new IllegalStateException("the vault is closed");
    WatchedFile other =
        new WatchedFile(
            path,
            bytes -> {
              throw failure;
            },
            warnings::add);

    assertThatThrownBy(other::key).isSameAs(failure);
  }

  @Test
  void file_thatOthersMayReadLater_isWarnedOfOnceForEachMode() throws Exception {
    assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "has no modes");
    rewrite("rw-r-----");
    rewrite("rw-r-----");
    assertThat(warnings).singleElement(STRING).contains("(rw-r-----)");

    rewrite("rw-r--r--");
    rewrite("rw-------");
    rewrite("rw-r--r--");

    assertThat(warnings).hasSize(3);
  }

  private void rewrite(String mode) throws Exception {
    Files.writeString(path, Files.readString(path) + "\n");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    file.key();
  }

  @Test
  void file_thatIsNoKey_isReadOnce() throws Exception {
    Files.writeString(path, "no key");
    reads = 0;

    assertThat(file.key()).isSameAs(first);
    assertThat(file.key()).isSameAs(first);

    assertThat(reads).isEqualTo(1);
    assertThat(warnings).hasSize(1);
  }
}
