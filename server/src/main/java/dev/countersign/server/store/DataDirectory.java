package dev.countersign.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory with the database file and the lock files. If this class creates the directory,
 * only its owner can access it (mode 700).
 */
public final class DataDirectory {
  // The directories that this process has locked. Design note: POSIX drops a process's locks on a
  // file when the process closes any handle on that file. So this process never opens the lock file
  // of a locked directory a second time.
  private static final Set<Path> SERVED = ConcurrentHashMap.newKeySet();

  // Handles on lock files that another class loader of this process has locked.
  private static final Set<FileChannel> KEPT_OPEN = ConcurrentHashMap.newKeySet();

  private final Path path;

  private DataDirectory(Path path) {
    this.path = path;
  }

  /**
   * Opens the directory and creates it if necessary.
   *
   * @throws StoreException if the directory cannot be created or written
   */
  public static DataDirectory prepare(Path directory) {
    try {
      Path parent = directory.toAbsolutePath().getParent();
      if (!Files.isDirectory(directory) && parent != null) {
        Files.createDirectories(parent);
        create(directory);
      }
      if (!WriteAccess.isWritable(directory)) {
        throw new StoreException(
            "the data directory " + directory + " is not writable: give its owner write access");
      }
      return new DataDirectory(directory.toRealPath());
    } catch (FileAlreadyExistsException e) {
      throw new StoreException(
          "the data directory " + directory + " is not a directory: choose another path", e);
    } catch (IOException e) {
      throw new StoreException(
          "the data directory " + directory + " cannot be created: " + reason(e), e);
    }
  }

  /** Creates an empty file that only its owner can read (mode 600). */
  public static void createOwnFile(Path file) throws IOException {
    Files.createFile(file, permissions("rw-------"));
  }

  private static void create(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, permissions("rwx------"));
    } catch (FileAlreadyExistsException e) {
      // Another process may have created it in the meantime.
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    boolean posix =
        java.nio.file.FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  public Path path() {
    return path;
  }

  /**
   * Returns whether the SQLite database of a directory is missing although it was there once.
   * {@link Database#open} refuses such a directory instead of treating it as an empty one.
   */
  public static boolean lacksItsDatabase(Path directory) {
    return SqliteFile.isMissing(directory);
  }

  /**
   * Returns the free space in bytes for a file; the largest number if it is not known. Follows a
   * symbolic link, which may lead to another disk.
   */
  static long space(Path file) {
    try {
      Path place = Files.exists(file) ? file : file.toAbsolutePath().getParent();
      return Files.getFileStore(place).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Takes the lock for serving from this directory. Only one process can hold the lock. The lock
   * ends with the process, even after a crash.
   *
   * @throws StoreException if another process holds the lock; the message names that process
   */
  public ServingLock lockForServing() {
    if (!SERVED.add(path)) {
      throw alreadyServed("this process");
    }
    Path file = path.resolve("serve.lock");
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw alreadyServed(holder(channel));
      }
      ByteBuffer pid = StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n");
      channel.truncate(0).write(pid, 0);
      return new ServingLock(path, channel);
    } catch (IOException e) {
      release(path, channel);
      throw new StoreException("cannot lock " + file + ": " + reason(e), e);
    } catch (OverlappingFileLockException e) {
      // Another class loader of this process has locked the file. Closing the handle would end
      // that lock.
      KEPT_OPEN.add(Objects.requireNonNull(channel));
      release(path, null);
      throw alreadyServed("this process");
    } catch (StoreException e) {
      release(path, channel);
      throw e;
    }
  }

  private StoreException alreadyServed(String holder) {
    return new StoreException(
        "the data directory "
            + path
            + " is already served by "
            + holder
            + ": stop that process first");
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
    return pid.isEmpty() ? "another process" : "process " + pid;
  }

  // The lock ends before the path is free. In between, the file is not opened a second time.
  private static void release(Path path, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new StoreException("cannot close the lock of " + path + ": " + reason(e), e);
    } finally {
      SERVED.remove(path);
    }
  }

  static String reason(IOException failure) {
    if (String.valueOf(failure.getMessage()).contains("No space left on device")) {
      return "its disk is full; free some space first";
    }
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName().replace("Exception", "");
    return message == null ? name : name + " " + message;
  }

  /** The lock for serving from a data directory, held until it is closed. */
  public static final class ServingLock implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;

    private ServingLock(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    @Override
    public void close() {
      if (channel.isOpen()) {
        release(path, channel);
      }
    }
  }
}
