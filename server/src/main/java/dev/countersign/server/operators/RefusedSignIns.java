package dev.countersign.server.operators;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.audit.Change;
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
 * Audits refused sign-ins: the first of a run at once, and then one entry an account and hour with
 * how many there were, so that a flood of them cannot fill the trail, which is never purged. All
 * names that are no account's count as one, and are not kept: a password is easily typed into the
 * wrong field.
 *
 * <p>Entries are written beside the answer, which would otherwise take longer for an account whose
 * entry is due.
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

  /** Notes a refusal of an account, or of a name that is none's. */
  void note(@Nullable Operator operator, InetAddress address) {
    String name = operator == null ? NOBODY : operator.auditName();
    // An account may be called unknown as well.
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
      log.warn("a refused sign-in was not audited, the service is ending");
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

    /** How many to write an entry about now; 0 for none. */
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
