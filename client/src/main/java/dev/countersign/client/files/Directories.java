package dev.countersign.client.files;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** The directory that a file is in: what names it, and what makes its name durable. */
public final class Directories {
  private static final boolean OPENED_AS_FILES =
      File.separatorChar == '/'; // Windows opens no directory, and keeps names by itself.

  private Directories() {}

  public static Path of(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
  }

  /** The file of this name beside another: {@code partner.key} and {@code .next}. */
  public static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Brings to the disk that a file was made, renamed or deleted. */
  public static void sync(Path file) throws IOException {
    if (OPENED_AS_FILES) {
      try (FileChannel directory = FileChannel.open(of(file), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }
}
