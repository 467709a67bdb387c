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

/** Looks at who may read a file that only its owner should. */
final class FileMode {
  private FileMode() {}

  /** Where warnings go unless somebody wants them elsewhere. */
  static Consumer<String> toLog(Class<?> source) {
    System.Logger log = System.getLogger(source.getName());
    return warning -> log.log(Level.WARNING, warning);
  }

  /**
   * Why a file is not its owner's alone; null where it is, on file systems without modes, and where
   * they cannot be read.
   */
  static @Nullable String trouble(Path file) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      if (mode.contains(GROUP_READ) || mode.contains(OTHERS_READ)) {
        return file
            + " can be read by others than its owner ("
            + PosixFilePermissions.toString(mode)
            + "), and who reads it can sign: chmod 600 "
            + file;
      }
    } catch (UnsupportedOperationException | IOException e) {
      // Nothing to say about a file system that tells nothing.
    }
    return null;
  }
}
