package dev.countersign.client.rotation;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.protocol.PlainText;
import java.util.Optional;

/**
 * A rotation that failed or has an unknown outcome. The key file still holds the old key, with one
 * exception: if the message says that the file holds the new key, the file was replaced, but a
 * crash may undo that. If the service has the new key, the service accepts the old key until the
 * overlap ends. Otherwise the old key stays valid as before.
 *
 * <p>The message is one line that begins with the reason. If the new key was kept, the message says
 * so. To continue with that key, call {@link KeyRotation#rotate()} again before the overlap ends.
 *
 * <p>If the service refused the rotation, the reason comes from the service, {@link #problem()} has
 * the details, and the cause is the {@link CountersignException}. Otherwise the reason is one of
 * the following:
 *
 * <ul>
 *   <li>{@code key_encrypted}, {@code key_unusable}: the key file cannot be rotated;
 *   <li>{@code rotation_running}: another rotation of this file is in progress;
 *   <li>{@code key_not_written}: the files of the rotation cannot be written; if the service has
 *       the new key already, the message says so;
 *   <li>{@code connection_failed}, {@code answer_malformed}, {@code interrupted}: it is unknown
 *       whether the service has the new key; the new key is kept for the next call;
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

  /** The service's explanation of a refusal; empty if the service sent no problem document. */
  public Optional<Problem> problem() {
    return getCause() instanceof CountersignException refusal
        ? refusal.problem()
        : Optional.empty();
  }

  /** A stable word that programs can rely on. */
  public String reason() {
    return reason;
  }
}
