package dev.countersign.client.rotation;

/**
 * A key that was not rotated, or of which it is not known yet. Whatever the reason, the key in the
 * key file works as it did before, and calling {@link KeyRotation#rotate()} again is right.
 *
 * <p>The message is one line that begins with the reason, and says what became of the new key. The
 * reason is the service's own word for a refusal, or one of
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
    super(line(reason + ": " + message));
    this.reason = reason;
  }

  RotationException(String reason, String message, Throwable cause) {
    super(line(reason + ": " + message), cause);
    this.reason = reason;
  }

  /** What cannot be seen, or turns the direction of a line, becomes a blank. */
  private static String line(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
  }

  /** One word that programs can rely on. */
  public String reason() {
    return reason;
  }
}
