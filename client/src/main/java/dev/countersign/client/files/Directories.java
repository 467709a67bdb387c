package dev.countersign.client.files;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Operations on the directory of a file: naming neighbours and making names durable. */
public final class Directories {
  private static final boolean OPENED_AS_FILES =
      File.separatorChar == '/'; // Windows cannot open a directory, and keeps names by itself.

  private Directories() {}

  public static Path of(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
  }

  /**
   * A file beside this one, with a suffix added to its name: {@code partner.key} and {@code .next}.
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
