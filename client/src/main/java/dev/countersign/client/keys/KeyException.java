package dev.countersign.client.keys;

import org.jspecify.annotations.Nullable;

/** A key that cannot be used; the message says which, why and what mends it, and never the key. */
public final class KeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  public KeyException(String message) {
    super(message);
    this.passing = false;
  }

  private KeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.passing = true;
  }

  /** A failure to get at what opens the key: the next try may end otherwise. */
  static KeyException passing(String message, @Nullable Throwable cause) {
    return new KeyException(message, cause);
  }

  /** Whether the key itself may be sound. */
  boolean isPassing() {
    return passing;
  }
}
