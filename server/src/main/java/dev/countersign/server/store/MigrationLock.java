package dev.countersign.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Lets only one thread of one process at a time open and migrate a SQLite file. */
final class MigrationLock {
  // A file lock belongs to the whole process, so its threads need an additional lock.
  private static final ReentrantLock THREADS = new ReentrantLock();

  private MigrationLock() {}

  @SuppressWarnings("try") // the lock is held, not used
  static <T> T holding(DataDirectory directory, Supplier<T> work) {
    Path file = directory.path().resolve("migrate.lock");
    THREADS.lock();
    try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      return work.get();
    } catch (IOException e) {
      throw new StoreException("cannot lock " + file + ": " + DataDirectory.reason(e), e);
    } finally {
      THREADS.unlock();
    }
  }
}
