package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that may not be read for a while, for whoever runs the test: root may read any. */
class WatchedFileTest {
  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();
  private boolean denied;
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
            new PemKey(path, Optional.empty())::read,
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
                + " the key that was read before stays in use");

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
  void file_thatIsNoKey_isReadOnce() throws Exception {
    Files.writeString(path, "no key");
    reads = 0;

    assertThat(file.key()).isSameAs(first);
    assertThat(file.key()).isSameAs(first);

    assertThat(reads).isEqualTo(1);
    assertThat(warnings).hasSize(1);
  }
}
