package dev.countersign.client.keys;

import static java.nio.file.attribute.PosixFilePermission.GROUP_READ;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks whether users other than the owner can read a key file. */
final class FileMode {
  private FileMode() {}

  /** The default receiver of warnings, which writes them to the log of the given class. */
  static Consumer<String> toLog(Class<?> source) {
    System.Logger log = System.getLogger(source.getName());
    return warning -> log.log(Level.WARNING, warning);
  }

  /**
   * Returns a warning if users other than the owner can read a file; null if only the owner can, if
   * the file system has no modes, or if the mode cannot be read.
   */
  static @Nullable String failure(Path file) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      if (mode.contains(GROUP_READ) || mode.contains(OTHERS_READ)) {
        return file
            + " can be read by users other than its owner ("
            + PosixFilePermissions.toString(mode)
            + "), who could sign with it: chmod 600 "
            + file;
      }
    } catch (UnsupportedOperationException | IOException e) {
      // The mode is unknown, so there is nothing to warn about.
    }
    return null;
  }
}
