package dev.countersign.cli.profile;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Writes a text file, either completely or not at all. Only the owner can read the file. */
public final class PrivateText {
  private PrivateText() {}

  static void write(Path path, List<String> lines) throws IOException {
    // Follows a symbolic link and keeps it, since people may keep their settings elsewhere.
    Path file = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    Path temp = Files.createTempFile(createFolderOf(file), ".config", ".new", mode("rw-------"));
    try {
      Files.write(temp, lines);
      Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temp);
    }
  }

  /**
   * Returns the directory of a file. A missing directory is created with access only for its owner.
   */
  static Path createFolderOf(Path file) throws IOException {
    return Files.createDirectories(file.toAbsolutePath().getParent(), mode("rwx------"));
  }

  /**
   * Returns whether users other than the owner may read or change a file; false if the file system
   * has no modes.
   */
  public static boolean isShared(Path file) {
    try {
      return !Files.getPosixFilePermissions(file).stream()
          .allMatch(permission -> permission.name().startsWith("OWNER_"));
    } catch (IOException | UnsupportedOperationException noModes) {
      return false;
    }
  }

  private static FileAttribute<?>[] mode(String mode) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
