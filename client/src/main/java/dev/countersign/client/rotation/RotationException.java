package dev.countersign.client.rotation;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.client.text.PlainText;
import java.util.Optional;

/**
 * A key that was not rotated, or of which it is not known yet. Whatever the reason, the key file
 * holds the key that it held before, which the service takes as long as it would have anyway; where
 * the service has the new key, until the overlap ends.
 *
 * <p>The message is one line that begins with the reason, and says so where the new key was kept:
 * then calling {@link KeyRotation#rotate()} again goes on with it, and must be done before the
 * overlap ends. The reason is the service's own word for a refusal, of which {@link #problem()} has
 * the rest and the cause is the {@link CountersignException}, or one of
 *
 * <ul>
 *   <li>{@code key_encrypted}, {@code key_unusable}: the key file is not one that can be rotated;
 *   <li>{@code rotation_running}: another rotation of this file is under way;
 *   <li>{@code key_not_written}: the new key cannot be kept beside the old one;
 *   <li>{@code connection_failed}, {@code answer_malformed}, {@code interrupted}: nobody knows
 *       whether the service has the new key, which is kept for the next call;
 *   <li>{@code signing_failed}: the request could not be signed.
 * </ul>
 */
public final class RotationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  RotationException(String reason, String message) {
    super(PlainText.message(reason + ": " + message));
    this.reason = reason;
  }

  RotationException(String reason, String message, Throwable cause) {
    super(PlainText.message(reason + ": " + message), cause);
    this.reason = reason;
  }

  /** What the service said of a refusal, nothing where it was not a problem document. */
  public Optional<Problem> problem() {
    return getCause() instanceof CountersignException refusal
        ? refusal.problem()
        : Optional.empty();
  }

  /** One word that programs can rely on. */
  public String reason() {
    return reason;
  }
}
