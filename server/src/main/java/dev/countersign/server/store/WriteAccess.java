package dev.countersign.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Checks whether a file is writable and is meant to be written. */
final class WriteAccess {
  private static final Set<PosixFilePermission> WRITE =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private WriteAccess() {}

  /**
   * Returns whether this process can write the file and the file has at least one write bit. The
   * write bits matter for the superuser, who can write every file: a file without a write bit was
   * made read-only on purpose.
   */
  static boolean isWritable(Path file) throws IOException {
    if (!Files.isWritable(file)) {
      return false;
    }
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return true;
    }
    return Files.getPosixFilePermissions(file).stream().anyMatch(WRITE::contains);
  }
}
