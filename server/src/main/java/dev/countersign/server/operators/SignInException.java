package dev.countersign.server.operators;

import java.time.Duration;

/**
 * A sign-in that did not succeed. What it says is the same for every account and every name that is
 * none.
 */
public final class SignInException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Why. */
  public enum Reason {
    /** Name or password is wrong, or the account does not let anybody in. */
    REFUSED,
    /** Too many attempts failed: the next one is looked at after {@link #retryAfter}. */
    SLOWED,
    /** Too many sign in at once. */
    BUSY
  }

  private final Reason reason;
  private final Duration retryAfter;

  private SignInException(Reason reason, String message, Duration retryAfter) {
    super(message, null, false, false);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  static SignInException refused() {
    return new SignInException(
        Reason.REFUSED, "the name or the password is not right", Duration.ZERO);
  }

  /** Whole seconds, rounded up. */
  static SignInException slowed(Duration wait) {
    Duration seconds = Duration.ofSeconds(wait.plusMillis(999).toSeconds());
    return new SignInException(
        Reason.SLOWED,
        "too many attempts failed: try again in " + seconds.toSeconds() + " s",
        seconds);
  }

  static SignInException busy() {
    return new SignInException(
        Reason.BUSY, "too many sign in at the moment: try again in a few seconds", SOON);
  }

  public Reason reason() {
    return reason;
  }

  /** How long to wait before the next attempt; zero where it need not. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
