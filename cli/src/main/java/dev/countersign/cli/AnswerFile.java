package dev.countersign.cli;

import dev.countersign.cli.captured.FileFailure;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.client.files.OwnerOnlyFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file that a response is written to. It is opened before the request is sent, so that the
 * response to a completed request cannot be lost. Its previous content stays until the response is
 * complete.
 */
final class AnswerFile implements AutoCloseable {
  // The maximum number of symbolic links to follow, as in Linux.
  private static final int MAX_LINKS = 40;

  private final Path file;

  // The temporary file that replaces the file; the file itself if it is written to directly.
  private final Path part;

  /**
   * Null if the file cannot be replaced but only overwritten. {@link #write} then opens the file,
   * so that its previous content stays until the response is complete.
   */
  private final @Nullable OutputStream out;

  private boolean kept;

  private AnswerFile(Path file, Path part, @Nullable OutputStream out) {
    this.file = file;
    this.part = part;
    this.out = out;
  }

  /**
   * Opens a file.
   *
   * @throws CliException when it cannot be written
   */
  static AnswerFile open(Path typed) {
    try {
      if (Files.exists(typed) && !Files.isRegularFile(typed)) {
        // A device or a pipe is written to directly, and not replaced.
        return new AnswerFile(typed, typed, Files.newOutputStream(typed));
      }
      return openPart(target(typed));
    } catch (IOException failed) {
      throw failure(typed, failed);
    }
  }

  /** Follows symbolic links to the file. The file need not exist, and the links stay. */
  private static Path target(Path typed) throws IOException {
    Path file = typed.toAbsolutePath();
    for (int left = MAX_LINKS; Files.isSymbolicLink(file); left--) {
      if (left == 0) {
        throw new FileSystemLoopException(typed.toString());
      }
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    return file;
  }

  private static AnswerFile openPart(Path file) throws IOException {
    String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    Path part = file.resolveSibling(name);
    try {
      OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE_NEW);
      AnswerFile answer = new AnswerFile(file, part, out);
      answer.copyAccess();
      return answer;
    } catch (IOException failed) {
      if (Files.isRegularFile(file) && Files.isWritable(file)) {
        // The directory or the owner does not allow replacing the file, but the file can be
        // written.
        return new AnswerFile(file, file, null);
      }
      throw failed;
    }
  }

  private void copyAccess() throws IOException {
    try {
      if (Files.exists(file)) {
        OwnerOnlyFile.giveAccessOf(file, part);
      }
    } catch (IOException failed) {
      close();
      throw failed;
    }
  }

  /**
   * Writes the response, and replaces the file with it.
   *
   * @throws CliException when it cannot be written
   */
  void write(byte[] answer) {
    try {
      if (out == null) {
        Files.write(file, answer);
        return;
      }
      out.write(answer);
      out.close();
    } catch (IOException failed) {
      throw failure(file, failed);
    }
    if (!file.equals(part)) {
      replace(answer);
    }
  }

  private void replace(byte[] answer) {
    try {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException immovable) {
      // The file may be a mount point, for example in a container.
      overwrite(answer);
    }
  }

  private void overwrite(byte[] answer) {
    try {
      Files.write(file, answer);
    } catch (IOException failed) {
      kept = Files.exists(part);
      throw kept ? failure(file, failed, "; the response is in " + part) : failure(file, failed);
    }
  }

  /** Removes an incomplete response. */
  @Override
  public void close() {
    try {
      if (out != null) {
        out.close();
      }
      if (!file.equals(part) && !kept) {
        Files.deleteIfExists(part);
      }
    } catch (IOException failed) {
      throw failure(part, failed);
    }
  }

  private static CliException failure(Path file, IOException failed) {
    return failure(file, failed, "");
  }

  private static CliException failure(Path file, IOException failed, String suffix) {
    return new CliException(
        ExitCode.FAILED,
        "output_failed",
        file + " cannot be written: " + FileFailure.text(failed) + suffix,
        failed);
  }
}
