package dev.countersign.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Whether a file is meant to be written. */
final class WriteAccess {
  private static final Set<PosixFilePermission> WRITE =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private WriteAccess() {}

  /**
   * Whether this process may write the file, and somebody may. The superuser may write anything; a
   * file without any write bit is read-only all the same, because someone made it so.
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
