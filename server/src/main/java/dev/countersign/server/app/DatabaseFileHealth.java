package dev.countersign.server.app;

import dev.countersign.server.store.Alarm;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Takes readiness down while the SQLite file or its write-ahead log is not the one that the service
 * opened. Logs when one of them is lost, and when it is back.
 */
final class DatabaseFileHealth implements HealthIndicator, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFileHealth.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final Database database;
  private final PeriodicTask watch;
  private final PeriodicTask logWatch;
  // Raised while a file is lost. Its cause is the path of that file.
  private final Alarm loss = new Alarm();

  DatabaseFileHealth(Database database) {
    this.database = database;
    this.watch = PeriodicTask.start("database-file", INTERVAL, this::check);
    this.logWatch = PeriodicTask.start("write-ahead-log", LOG_INTERVAL, database::watchLog);
  }

  private void check() {
    Optional<Path> lost = database.lostFile();
    if (lost.isEmpty()) {
      loss.clear()
          .ifPresent(
              path -> {
                LOG.info("{} is back", path);
                LOG.info("writes are accepted again");
              });
      return;
    }
    Optional<String> before = loss.cause();
    if (loss.raise(lost.get().toString())) {
      before.ifPresent(path -> LOG.info("{} is back", path));
      LOG.error(
          "{} was moved, deleted or replaced; all writes are refused: move it back, or stop the"
              + " service{}",
          lost.get(),
          lost.get().toString().equals(database.location())
              ? " and restore a backup"
              : " with SIGTERM, which writes to the database file what the log had; until then,"
                  + " open that file with no other program");
    }
  }

  @Override
  public Health health() {
    return (database.lostFile().isPresent() ? Health.down() : Health.up()).build();
  }

  @Override
  public void close() {
    logWatch.close();
    watch.close();
  }
}
