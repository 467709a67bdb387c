package dev.countersign.server.operators.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.audit.Change;
import dev.countersign.server.operators.Addresses;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refused sign-ins to the audit trail: the first one at once, then at most one entry per
 * account and hour with the number of refusals. So a flood cannot fill the trail, which is never
 * purged. All names without an account share one entry, and the names are not stored: users
 * sometimes type a password into the wrong field.
 *
 * <p>Entries are written in the background. Otherwise an answer would take longer if an entry is
 * due, which would reveal that the account exists.
 */
final class RefusedSignIns {
  private static final Logger log = LoggerFactory.getLogger(RefusedSignIns.class);
  private static final Duration EACH = Duration.ofHours(1);
  private static final String NOBODY = "unknown";
  private static final int MOST = 10_000;

  private final Database database;
  private final AuditTrail audit;
  private final Clock clock;
  private final Executor background;
  private final Cache<String, Tally> tallies = Caffeine.newBuilder().maximumSize(MOST).build();

  RefusedSignIns(Database database, AuditTrail audit, Clock clock, Executor background) {
    this.database = database;
    this.audit = audit;
    this.clock = clock;
    this.background = background;
  }

  /**
   * Records a refusal.
   *
   * @param operator null if no account has the name
   */
  void note(@Nullable Operator operator, InetAddress address) {
    String name = operator == null ? NOBODY : operator.auditName();
    // Uses the id, because an account may be named "unknown".
    String key = operator == null ? "" : operator.id();
    Tally tally = tallies.get(key, unseen -> new Tally());
    long refused = tally.count(clock.instant());
    if (refused > 0) {
      write(
          Author.operator(name, Addresses.text(address)),
          new Change(
              "operator.sign-in-refused",
              "operator:" + name,
              Map.of(),
              Map.of("known", operator != null, "refused", refused)));
    }
  }

  private void write(Author author, Change change) {
    try {
      background.execute(() -> append(author, change));
    } catch (RejectedExecutionException e) {
      log.warn("a refused sign-in was not audited because the service is stopping");
    }
  }

  private void append(Author author, Change change) {
    try {
      database.write(
          sql -> {
            audit.append(sql, author, change);
            return true;
          });
    } catch (StoreUnavailableException e) {
      log.warn("a refused sign-in was not audited: {}", e.getMessage());
    }
  }

  /** The refusals of one account since its last entry. */
  private static final class Tally {
    private Instant nextEntry = Instant.MIN;
    private long refused;

    /** Counts a refusal. Returns the number for the entry to write now, or 0 if none is due. */
    synchronized long count(Instant now) {
      refused++;
      if (now.isBefore(nextEntry)) {
        return 0;
      }
      nextEntry = now.plus(EACH);
      long all = refused;
      refused = 0;
      return all;
    }
  }
}
