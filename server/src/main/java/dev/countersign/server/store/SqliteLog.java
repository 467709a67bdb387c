package dev.countersign.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the <a href="https://www.sqlite.org/wal.html">write-ahead log</a> of a file. A program
 * that keeps a snapshot open prevents checkpoints, and the log then grows until the disk is full.
 * Logs one line when a large log could not be checkpointed for a minute, and one when it was
 * checkpointed again.
 */
final class SqliteLog {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteLog.class);
  private static final long LARGE = 64L << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path file;
  private final DataSource source;
  private final LongSupplier nanoTime;
  private final long large;
  private boolean isHeld;
  private long heldSince;
  private final Alarm alarm = new Alarm();

  SqliteLog(Path file, DataSource source, LongSupplier nanoTime) {
    this(file, source, nanoTime, LARGE);
  }

  /**
   * Creates a watch.
   *
   * @param large the size in bytes above which a log is checked
   */
  SqliteLog(Path file, DataSource source, LongSupplier nanoTime, long large) {
    this.file = file;
    this.source = source;
    this.nanoTime = nanoTime;
    this.large = large;
  }

  /**
   * Returns the path of a file that SQLite keeps beside a database file. If the path of the
   * database file is a symbolic link, SQLite keeps it beside the file that the link leads to.
   *
   * @param suffix {@code -wal} or {@code -shm}
   */
  static Path beside(Path file, String suffix) throws IOException {
    Path real = file.toRealPath();
    return real.resolveSibling(real.getFileName() + suffix);
  }

  /** Checks the log, and tries to checkpoint a large one. To be called every few seconds. */
  synchronized void check() {
    Path log = log();
    long size = size(log);
    if (size <= large || !checkpointLeavesFrames()) {
      if (alarm.clear().isPresent()) {
        LOG.info("{} was written back to its file", log);
      }
      isHeld = false;
      return;
    }
    if (!isHeld) {
      isHeld = true;
      heldSince = nanoTime.getAsLong();
    }
    if (nanoTime.getAsLong() - heldSince >= PATIENCE.toNanos() && alarm.raise()) {
      LOG.warn(
          "{} has {} MiB and grows, because a program has kept a transaction on the file open for a"
              + " minute: end that program, for example a shell or a backup",
          log,
          size >> 20);
    }
  }

  private Path log() {
    try {
      return beside(file, "-wal");
    } catch (IOException e) {
      LOG.debug("{} cannot be found", file, e);
      return file.resolveSibling(file.getFileName() + "-wal");
    }
  }

  private static long size(Path log) {
    try {
      return Files.size(log);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      LOG.debug("the size of {} cannot be read", log, e);
      return 0;
    }
  }

  /**
   * Runs a checkpoint, and returns whether frames of the log are left after it. A log keeps its
   * size after a checkpoint, so the size alone says nothing.
   */
  private boolean checkpointLeavesFrames() {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      return result.next()
          && (result.getInt("busy") != 0 || result.getInt("checkpointed") < result.getInt("log"));
    } catch (SQLException e) {
      LOG.debug("the log of {} cannot be checkpointed", file, e);
      return true;
    }
  }
}
