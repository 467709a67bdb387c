package dev.countersign.client.keys;

import org.jspecify.annotations.Nullable;

/**
 * A key that cannot be used. The message names the key, the cause and the fix, and never reveals
 * the key.
 */
public final class KeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean temporary;

  public KeyException(String message) {
    super(message);
    this.temporary = false;
  }

  private KeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.temporary = true;
  }

  /** A failure to get the passphrase or PIN; the next attempt may succeed. */
  static KeyException temporary(String message, @Nullable Throwable cause) {
    return new KeyException(message, cause);
  }

  /** Returns whether the key itself may be valid, so that another attempt is worthwhile. */
  boolean isTemporary() {
    return temporary;
  }
}
