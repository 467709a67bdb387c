package dev.countersign.client.rotation;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Prevents two rotations of one key file at the same time. The operating system releases the lock
 * when the process ends, however it ends. The lock file is never deleted, because two processes
 * could then lock two files of the same name.
 */
final class RotationLock implements AutoCloseable {
  private final FileChannel channel;

  private RotationLock(FileChannel channel) {
    this.channel = channel;
  }

  static RotationLock of(Path lockFile) throws IOException {
    FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      held = lock(channel) != null;
    } finally {
      if (!held) {
        channel.close();
      }
    }
    if (!held) {
      throw new RotationException(
          "rotation_running", lockFile + " is held by another rotation; wait until it has ended");
    }
    return new RotationLock(channel);
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException inThisProcess) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written to the file, so the outcome of the rotation stays as it is.
    }
  }
}
