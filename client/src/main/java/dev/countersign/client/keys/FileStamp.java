package dev.countersign.client.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one state of a file with a single call of stat(2), without reading the file.
 *
 * @param fileKey device and inode, which change when a file is renamed into place; null if the file
 *     system has none
 */
record FileStamp(FileTime modified, long size, @Nullable Object fileKey) {
  /** The stamp of a file that is missing or cannot be read. */
  static final FileStamp UNREADABLE = new FileStamp(FileTime.fromMillis(0), -1, null);

  static FileStamp of(Path file) {
    try {
      // Follows links, because a mounted secret is replaced by changing its link.
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(found.lastModifiedTime(), found.size(), found.fileKey());
    } catch (IOException e) {
      return UNREADABLE;
    }
  }

  /** The reason why a file is {@link #UNREADABLE}, for a message. */
  static String failure(IOException e) {
    return e instanceof NoSuchFileException
        ? "there is no such file"
        : e.getClass().getSimpleName();
  }
}
