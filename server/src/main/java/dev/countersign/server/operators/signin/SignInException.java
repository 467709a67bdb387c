package dev.countersign.server.operators.signin;

import java.time.Duration;

/** Reports that a sign-in failed. Its message is the same whether the account exists or not. */
public final class SignInException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  // How long a caller should wait if too many operators are signing in.
  private static final Duration BUSY_RETRY_AFTER = Duration.ofSeconds(5);

  /** The reason for the failure. */
  public enum Reason {
    /** The name or the password is wrong, or the account may not sign in. */
    REFUSED,
    /** Too many attempts failed. The next attempt is checked after {@link #retryAfter}. */
    SLOWED,
    /** Too many operators are signing in at once. */
    BUSY
  }

  private final Reason reason;
  private final Duration retryAfter;

  private SignInException(Reason reason, String message, Duration retryAfter) {
    super(message, null, false, false);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  public static SignInException refused() {
    return new SignInException(Reason.REFUSED, "the name or the password is wrong", Duration.ZERO);
  }

  /** Creates an exception with the wait in whole seconds, rounded up. */
  static SignInException slowed(Duration wait) {
    Duration seconds = Duration.ofSeconds(wait.plusMillis(999).toSeconds());
    return new SignInException(
        Reason.SLOWED,
        "too many attempts failed; try again in " + seconds.toSeconds() + " s",
        seconds);
  }

  static SignInException busy() {
    return new SignInException(
        Reason.BUSY,
        "too many people are signing in at the moment; try again in a few seconds",
        BUSY_RETRY_AFTER);
  }

  public Reason reason() {
    return reason;
  }

  /** Returns how long to wait before the next attempt; zero if there is no need to wait. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
