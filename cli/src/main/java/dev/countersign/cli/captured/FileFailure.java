package dev.countersign.cli.captured;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes problems with files, for people. */
public final class FileFailure {
  private FileFailure() {}

  /**
   * A short description without the file's name, because the surrounding message names the file.
   */
  public static String text(IOException failed) {
    if (failed instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (failed instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failed instanceof FileAlreadyExistsException) {
      return "the file already exists";
    }
    if (failed instanceof NotDirectoryException) {
      return "there is no such folder";
    }
    if (failed instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    return words(
        failed instanceof FileSystemException refused ? refused.getReason() : failed.getMessage());
  }

  /** The operating system's message, such as {@code Is a directory}. */
  private static String words(@Nullable String words) {
    return words == null || words.isEmpty()
        ? "unknown error"
        : words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }
}
