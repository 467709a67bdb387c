package dev.countersign.server.once;

import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The attempts of one request to commit its claim. If the database does not confirm the commit of
 * an attempt, the next one makes the same claim in a new transaction, and so learns whether an
 * earlier one was committed:
 *
 * <ul>
 *   <li>The claim is new: no earlier attempt was committed, and none can be committed any more. The
 *       unique index made this attempt wait until they had ended. This attempt does the work.
 *   <li>The claim has the id of an earlier attempt: that one was committed, so its answer stands.
 *       This attempt puts its own id into the claim. Under synchronous replication, its commit is
 *       confirmed only when the standby has both commits.
 *   <li>The claim has another id: no earlier attempt was committed, and another request has made
 *       the claim.
 * </ul>
 *
 * <p>Reading the claim without making it would not be enough, because the first commit may still be
 * on its way to the database. One thread at a time uses an instance.
 */
final class CommitAttempts {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
  private static final int ID_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  // The answers that may have been committed, by the ids of their attempts.
  private final Map<String, StoredAnswer> unresolved = new HashMap<>();
  private String id = "";

  /**
   * Runs attempts until the outcome is known.
   *
   * @param database the view of the store for the request, whose time all attempts share
   * @param work makes the claim and does the work, in one transaction
   * @throws StoreUnavailableException if the store cannot answer; then nothing was committed
   * @throws StoreUnavailableException.CommitUnknown if the outcome was still unknown when the time
   *     of the request was over
   */
  StoredAnswer run(Database database, BiFunction<JdbcClient, CommitAttempts, StoredAnswer> work) {
    Duration pause = FIRST_PAUSE;
    Database view = database.firstAttempt();
    while (true) {
      try {
        return attempt(view, work);
      } catch (StoreUnavailableException.CommitUnknown unknown) {
        if (pauseOrGiveUp(database, pause)) {
          throw unknown;
        }
      }
      view = database;
      pause = pause.multipliedBy(2);
      if (pause.compareTo(MAX_PAUSE) > 0) {
        pause = MAX_PAUSE;
      }
    }
  }

  private StoredAnswer attempt(
      Database database, BiFunction<JdbcClient, CommitAttempts, StoredAnswer> work) {
    id = newId();
    // The work may run several times, and only its last answer may be committed.
    AtomicReference<@Nullable StoredAnswer> answer = new AtomicReference<>();
    try {
      return database.write(
          sql -> {
            StoredAnswer made = work.apply(sql, this);
            answer.set(made);
            return made;
          });
    } catch (StoreUnavailableException.CommitUnknown unknown) {
      unresolved.put(id(), Objects.requireNonNull(answer.get()));
      throw unknown;
    } catch (RuntimeException failure) {
      if (unresolved.isEmpty()) {
        throw failure;
      }
      // This attempt failed before it could resolve the earlier ones.
      throw new StoreUnavailableException.CommitUnknown(
          "the outcome of a commit is still unknown: " + failure.getMessage(), failure);
    }
  }

  /** Waits before the next attempt, or returns true if there is no time for another one. */
  private static boolean pauseOrGiveUp(Database database, Duration pause) {
    if (!database.hasTimeAfter(pause)) {
      return true;
    }
    try {
      Thread.sleep(pause);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static String newId() {
    byte[] bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the id of the running attempt: 128 random bits in hexadecimal. */
  String id() {
    return id;
  }

  /** Returns whether an earlier attempt may have been committed. */
  boolean isUnresolved() {
    return !unresolved.isEmpty();
  }

  /** Records that the running attempt made a new claim, so no earlier one was committed. */
  void madeClaim() {
    unresolved.clear();
  }

  /**
   * Records that the claim exists and has this id.
   *
   * @param holder the id in the claim, read after the claim was tried
   * @return the answer of the earlier attempt with this id; empty if another request holds the
   *     claim
   */
  Optional<StoredAnswer> foundClaim(String holder) {
    StoredAnswer answer = unresolved.get(holder);
    if (answer == null) {
      unresolved.clear();
    }
    return Optional.ofNullable(answer);
  }
}
