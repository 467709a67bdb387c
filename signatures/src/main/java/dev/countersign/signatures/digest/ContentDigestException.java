package dev.countersign.signatures.digest;

/** A Content-Digest field cannot be used: malformed, or without the algorithm that is asked for. */
public final class ContentDigestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ContentDigestException(String message) {
    super(message, null, false, false);
  }
}
