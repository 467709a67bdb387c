package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Check;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a request through the checks.
 *
 * @param passed the last check such that it and all checks before it passed; null if the first
 *     check did not pass
 * @param refusedBy the check that refused the request; null if no check refused it, even if
 *     something else ended the request. This check may come before {@code passed}, because the
 *     transaction of a write repeats some checks.
 */
public record CheckProgress(@Nullable Check passed, @Nullable Check refusedBy) {

  /** Returns whether the request passed this check. */
  public boolean hasPassed(Check check) {
    return check != refusedBy && passed != null && check.number() <= passed.number();
  }
}
