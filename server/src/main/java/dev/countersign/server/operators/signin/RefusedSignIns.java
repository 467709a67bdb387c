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
 * Writes refused sign-ins to the audit trail: the first refusal for an account at once, then at
 * most one entry per account and hour with the number of refusals. So a flood of refusals cannot
 * fill the audit trail, which is never purged. All names without an account count as one account.
 * These names are not stored, because users sometimes type a password into the wrong field.
 *
 * <p>Entries are written in the background. Otherwise an answer would take longer when an entry is
 * due, and the delay would reveal that the account exists.
 */
final class RefusedSignIns {
  private static final Logger log = LoggerFactory.getLogger(RefusedSignIns.class);
  // The shortest time between two entries for the same account.
  private static final Duration ENTRY_INTERVAL = Duration.ofHours(1);
  // Stands in the audit trail for every name without an account.
  private static final String UNKNOWN_NAME = "unknown";
  // At most this many accounts have a counter at the same time.
  private static final int MAX_TALLIES = 10_000;

  private final Database database;
  private final AuditTrail audit;
  private final Clock clock;
  private final Executor background;
  private final Cache<String, Tally> tallies =
      Caffeine.newBuilder().maximumSize(MAX_TALLIES).build();

  RefusedSignIns(Database database, AuditTrail audit, Clock clock, Executor background) {
    this.database = database;
    this.audit = audit;
    this.clock = clock;
    this.background = background;
  }

  /**
   * Records a refusal.
   *
   * @param operator the account with the name; null if there is none
   */
  void note(@Nullable Operator operator, InetAddress address) {
    String name = operator == null ? UNKNOWN_NAME : operator.auditName();
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

    /**
     * Counts a refusal. Returns the number of refusals for the entry that is due now, or 0 if no
     * entry is due.
     */
    synchronized long count(Instant now) {
      refused++;
      if (now.isBefore(nextEntry)) {
        return 0;
      }
      nextEntry = now.plus(ENTRY_INTERVAL);
      long all = refused;
      refused = 0;
      return all;
    }
  }
}
