package dev.countersign.server;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Takes readiness down while the SQLite file is not the one that the service opened. Logs one line
 * when the file is lost, and one when it is back.
 */
final class DatabaseFileHealth implements HealthIndicator, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFileHealth.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final Database database;
  private final PeriodicTask watch;
  private final PeriodicTask logWatch;
  private boolean isLost;

  DatabaseFileHealth(Database database) {
    this.database = database;
    this.watch = PeriodicTask.start("database-file", INTERVAL, this::look);
    this.logWatch = PeriodicTask.start("write-ahead-log", LOG_INTERVAL, database::watchLog);
  }

  private void look() {
    boolean now = database.isLost();
    if (now && !isLost) {
      LOG.error(
          "{} was moved, deleted or replaced; all writes are refused: move the file back, or stop"
              + " the service and restore a backup",
          database.location());
    } else if (isLost && !now) {
      LOG.info("{} is back; writes are accepted again", database.location());
    }
    isLost = now;
  }

  @Override
  public Health health() {
    return database.isLost() ? Health.down().build() : Health.up().build();
  }

  @Override
  public void close() {
    logWatch.close();
    watch.close();
  }
}
