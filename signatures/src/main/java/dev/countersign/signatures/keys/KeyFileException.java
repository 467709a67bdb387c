package dev.countersign.signatures.keys;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Thrown when a key is refused, with the reason and the fix. The message never contains a part of
 * the key, so it can be logged and shown. The exception has no cause, because an exception of a
 * provider or a decoder might quote the key.
 */
public final class KeyFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of error. The names are stable, so that a portal or a test can rely on them. */
  public enum Reason {
    /** The file is empty, or a PEM block has no content. */
    EMPTY,
    /** The text is longer than 64 KiB, and therefore longer than any key. */
    TOO_LONG,
    /** The file could not be read at all. */
    UNREADABLE,
    /**
     * The text is neither a complete PEM block (RFC 7468) nor the base64 of a block without header
     * lines.
     */
    NOT_PEM,
    /** The text has a character that is not base64, or an incomplete last group. */
    NOT_BASE64,
    /** A private key instead of a public key or a shared secret. It must be treated as leaked. */
    PRIVATE_KEY,
    /** A public key instead of a private key or a shared secret. */
    PUBLIC_KEY,
    /** A private key that is protected by a passphrase. */
    ENCRYPTED,
    /** A key of another algorithm instead of an RSA key; this includes RSASSA-PSS-only keys. */
    NOT_RSA,
    /** A key of an algorithm, or on a curve, that no {@code SignatureAlgorithm} uses. */
    ALGORITHM_UNSUPPORTED,
    /**
     * A key in an unsupported form (OpenSSH, PGP, JWK, …). The message names the command to use.
     */
    FORMAT_UNSUPPORTED,
    /** More than one PEM block. */
    TOO_MANY,
    /** Base64 that is not the DER of a key, or a key whose numbers are not consistent. */
    MALFORMED,
    /**
     * A valid key or secret that is too weak to protect anything; see {@link RsaKeyRules}, {@link
     * Ed25519KeyRules} and {@link SharedSecretRules}.
     */
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

  /**
   * The same exception, with the file's name at the beginning of the message and in its command.
   */
  KeyFileException in(Path file) {
    // The word FILE stands after a space. The paths of JSON members, such as .FILE, have no space.
    String message =
        String.valueOf(getMessage()).replace(" FILE", " " + shellWord(file.toString()));
    return new KeyFileException(reason, file + ": " + message);
  }

  private static String shellWord(String name) {
    String word = name.startsWith("-") ? "./" + name : name;
    return word.matches("[A-Za-z0-9_./:@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
