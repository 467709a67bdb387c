package dev.countersign.client.keys;

/** A key that cannot be used; the message says which, why and what mends it, and never the key. */
public final class KeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public KeyException(String message) {
    super(message);
  }
}
