package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a request through the checks.
 *
 * @param passed the last check of the unbroken run from the first; null where the first did not
 *     pass
 * @param refusedBy the check that refused it; null where none did, whatever else ended it. It may
 *     lie before {@code passed}, because some checks are made again in the transaction of a write.
 */
public record CheckProgress(@Nullable Check passed, @Nullable Check refusedBy) {

  /** Whether a request passed this check. */
  public boolean hasPassed(Check check) {
    return check != refusedBy && passed != null && check.number() <= passed.number();
  }
}
