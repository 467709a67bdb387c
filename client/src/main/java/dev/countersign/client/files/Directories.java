package dev.countersign.client.files;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Names files in the directory of another file, and makes changes to a directory durable. */
public final class Directories {
  private static final boolean OPENED_AS_FILES =
      File.separatorChar == '/'; // Windows cannot open a directory, and makes names durable itself.

  private Directories() {}

  public static Path of(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
  }

  /**
   * The file in the same directory whose name has a suffix added: {@code partner.key.next} for
   * {@code partner.key} and {@code .next}.
   */
  public static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Makes the creation, renaming or deletion of a file durable. */
  public static void sync(Path file) throws IOException {
    if (OPENED_AS_FILES) {
      try (FileChannel directory = FileChannel.open(of(file), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }
}
