package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Check;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a request through the checks.
 *
 * @param passed the last check of the unbroken sequence of passed checks that starts with the
 *     first; null if the first did not pass
 * @param refusedBy the check that refused the request; null if none did, even if something else
 *     ended it. It may come before {@code passed}, because some checks are repeated in the
 *     transaction of a write.
 */
public record CheckProgress(@Nullable Check passed, @Nullable Check refusedBy) {

  /** Returns whether the request passed this check. */
  public boolean hasPassed(Check check) {
    return check != refusedBy && passed != null && check.number() <= passed.number();
  }
}
