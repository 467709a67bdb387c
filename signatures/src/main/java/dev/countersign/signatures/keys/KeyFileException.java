package dev.countersign.signatures.keys;

import java.util.Objects;

/**
 * Says why a key was refused, and what to do about it. The message never holds a part of the key,
 * so that it can be logged and shown; for the same reason it never has a cause, since what a
 * provider or a decoder quotes is not in our hands.
 */
public final class KeyFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was wrong, one word each; stable, so that a portal or a test can rely on it. */
  public enum Reason {
    /** There is no text, or a PEM block without content. */
    EMPTY,
    /** The text is longer than 64 KiB, which no key is. */
    TOO_LONG,
    /** The file could not be read at all. */
    UNREADABLE,
    /** Neither a whole PEM block (RFC 7468) nor the base64 of one without its header lines. */
    NOT_PEM,
    /** A character that base64 does not have, or an incomplete last group. */
    NOT_BASE64,
    /** A private key where a public key belongs. It must be treated as leaked. */
    PRIVATE_KEY,
    /** A public key where a private key belongs. */
    PUBLIC_KEY,
    /** A private key that is protected by a passphrase. */
    ENCRYPTED,
    /** A key of another algorithm where an RSA key belongs, RSASSA-PSS-only keys included. */
    NOT_RSA,
    /** A key of an algorithm, or on a curve, that no {@code SignatureAlgorithm} has a use for. */
    ALGORITHM_UNSUPPORTED,
    /** A key in a form of another tool (OpenSSH, PGP, JWK, …) that one command converts. */
    FORMAT_UNSUPPORTED,
    /** More than one PEM block. */
    TOO_MANY,
    /** Base64, but not the DER of a key, or numbers that do not belong together. */
    MALFORMED,
    /** A whole key that would not protect anything, see {@link RsaKeyRules}. */
    WEAK
  }

  private final Reason reason;

  KeyFileException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason);
  }

  public Reason reason() {
    return reason;
  }

  /** The same refusal with its file's name in front. */
  KeyFileException in(Object file) {
    return new KeyFileException(reason, file + ": " + getMessage());
  }
}
