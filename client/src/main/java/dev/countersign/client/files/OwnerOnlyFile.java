package dev.countersign.client.files;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates files that only their owner can read, even while they are being written. */
public final class OwnerOnlyFile {
  private static final String MODE = "rw-------";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE));

  private OwnerOnlyFile() {}

  /**
   * Writes a new file and syncs it to disk. Its mode is 600 from the start if the file system has
   * modes.
   *
   * @throws java.nio.file.FileAlreadyExistsException when there is a file of that name
   */
  public static void create(Path file, String text) throws IOException {
    create(file, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Writes bytes as {@link #create(Path, String)} writes text. */
  public static void create(Path file, byte[] content) throws IOException {
    write(file, content, hasModes(file) ? new FileAttribute<?>[] {OWNER_ONLY} : noAttributes());
  }

  /** Writes a new file that everyone may read, and syncs it to disk. */
  public static void createPublic(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.US_ASCII), noAttributes());
  }

  /**
   * Gives a file the owner, group and mode of another, if the file system has them.
   *
   * @throws IOException when this process is not allowed to change them
   */
  public static void giveAccessOf(Path from, Path to) throws IOException {
    PosixFileAttributeView view = view(to);
    if (view == null) {
      return;
    }
    PosixFileAttributes wanted = Files.readAttributes(from, PosixFileAttributes.class);
    PosixFileAttributes current = view.readAttributes();
    if (!current.group().equals(wanted.group())) {
      view.setGroup(wanted.group());
    }
    view.setPermissions(wanted.permissions());
    if (!current.owner().equals(wanted.owner())) {
      view.setOwner(wanted.owner());
    }
  }

  /** Removes the access of everyone but the owner. */
  public static void restrict(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString(MODE));
    }
  }

  private static @Nullable PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  private static void write(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    try (FileChannel out = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), attributes)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Directories.sync(file);
  }

  private static boolean hasModes(Path file) throws IOException {
    return Files.getFileStore(Directories.of(file)).supportsFileAttributeView("posix");
  }

  private static FileAttribute<?>[] noAttributes() {
    return new FileAttribute<?>[0];
  }
}
