package dev.countersign.server.store;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A problem that is logged once when it begins and once when it is over, however often it is
 * noticed. The owner of the alarm writes the lines:
 *
 * <pre>{@code
 * if (isWrong) {
 *   if (alarm.raise()) {
 *     LOG.warn("the clock is wrong");
 *   }
 * } else if (alarm.clear().isPresent()) {
 *   LOG.info("resolved: the clock is right");
 * }
 * }</pre>
 */
public final class Alarm {
  // Null while nothing is wrong.
  private final AtomicReference<@Nullable String> cause = new AtomicReference<>();

  /** Raises the alarm. Returns whether it was not raised before. */
  public boolean raise() {
    return raise("");
  }

  /**
   * Raises the alarm for a cause.
   *
   * @return whether it was not raised before, or for another cause
   */
  public boolean raise(String cause) {
    return !cause.equals(this.cause.getAndSet(cause));
  }

  /** Clears the alarm. Returns the cause for which it was raised; empty if it was not raised. */
  public Optional<String> clear() {
    return isRaised() ? Optional.ofNullable(cause.getAndSet(null)) : Optional.empty();
  }

  /** Returns whether the alarm is raised. */
  public boolean isRaised() {
    return cause.get() != null;
  }

  /** Returns the cause for which the alarm is raised; empty if it is not raised. */
  public Optional<String> cause() {
    return Optional.ofNullable(cause.get());
  }
}
