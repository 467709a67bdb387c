package dev.countersign.cli.captured;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says in words why a file could not be used, for messages to people. */
public final class FileFailure {
  private FileFailure() {}

  /**
   * Describes an exception in a few words, without the file's name, because the surrounding message
   * names the file.
   */
  public static String text(IOException exception) {
    if (exception instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (exception instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (exception instanceof FileAlreadyExistsException) {
      return "the file already exists";
    }
    if (exception instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    return decapitalized(
        exception instanceof FileSystemException fileSystemException
            ? fileSystemException.getReason()
            : exception.getMessage());
  }

  /**
   * Returns a message with a lower-case first letter: {@code is a directory} for the system's
   * {@code Is a directory}.
   */
  private static String decapitalized(@Nullable String message) {
    return message == null || message.isEmpty()
        ? "unknown error"
        : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }
}
