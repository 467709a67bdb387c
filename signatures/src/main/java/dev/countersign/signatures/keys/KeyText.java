package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_LONG;
import static dev.countersign.signatures.keys.KeyFileException.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The text of a key, with a limit on its length. DER is held as base64. A text is neither blank nor
 * begins with a byte order mark.
 *
 * @param text the text
 * @param isDer whether the key was given in DER, so that commands for its file must say so
 */
record KeyText(String text, boolean isDer) {
  /** The maximum length of a key's text in characters, and of a key's file in bytes. */
  static final int LIMIT = 64 * 1024;

  static KeyText of(String text) {
    return of(text, false);
  }

  /** Refuses text that is blank or too long to be a key. */
  private static KeyText of(String text, boolean isDer) {
    if (!isDer && text.length() > LIMIT) {
      throw tooLong();
    }
    String bare = text.startsWith("\ufeff") ? text.substring(1) : text;
    if (bare.isBlank()) {
      throw new KeyFileException(EMPTY, "the key is empty: paste the whole PEM text of the key");
    }
    return new KeyText(bare, isDer);
  }

  static KeyText of(byte[] bytes) {
    if (bytes.length > LIMIT) {
      throw tooLong();
    }
    return isDer(bytes)
        ? of(Base64.getEncoder().encodeToString(bytes), true)
        : of(new String(bytes, isUtf16(bytes) ? UTF_16 : UTF_8), false);
  }

  static KeyText ofFile(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in.readNBytes(LIMIT + 1));
    } catch (NoSuchFileException e) {
      throw new KeyFileException(UNREADABLE, "there is no such file");
    } catch (IOException e) {
      throw new KeyFileException(
          UNREADABLE, "the file cannot be read: " + e.getClass().getSimpleName());
    }
  }

  /**
   * Checks that the text contains no private key. Returns the text without BEGIN and END lines of
   * private keys, because words around a public key may quote such a line.
   *
   * @param newKey the command that makes a new key
   * @throws KeyFileException with {@link KeyFileException.Reason#PRIVATE_KEY} if the text contains
   *     a private key. This is checked before anything else
   */
  KeyText requireNoPrivateKey(String newKey) {
    if (PrivateKeyTraces.existIn(text)) {
      throw new KeyFileException(
          PRIVATE_KEY,
          "this is a private key; a public key is needed. It has left its owner: treat it as"
              + " leaked and make a new pair ("
              + newKey
              + "), then give only the public key of the new pair");
    }
    return of(PrivateKeyTraces.withoutPrivateBoundaries(text), isDer);
  }

  /** Returns the same key in a form that the strict readers accept; see {@link PastedText}. */
  KeyText normalize() {
    return of(PastedText.normalize(text), isDer);
  }

  KeyTextKind kind() {
    return KeyTextKind.of(text);
  }

  /** The DER in the text's only block, or in the whole text if it has no header lines. */
  byte[] der() {
    return Pem.read(text);
  }

  /** Returns the text without its first match, if it has one. */
  KeyText without(Pattern part) {
    return of(part.matcher(text).replaceFirst(""), isDer);
  }

  // A DER key begins with a SEQUENCE. One of its first eight bytes is below the tab character, and
  // no text has such a byte.
  private static boolean isDer(byte[] bytes) {
    if (bytes.length < 3 || bytes[0] != Der.SEQUENCE) {
      return false;
    }
    for (int i = 1; i < Math.min(bytes.length, 8); i++) {
      if (bytes[i] < '\t') {
        return true;
      }
    }
    return false;
  }

  // In Windows PowerShell, "openssl … > key.pem" writes UTF-16.
  private static boolean isUtf16(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    return mark == 0xfffe || mark == 0xfeff;
  }

  private static KeyFileException tooLong() {
    return new KeyFileException(
        TOO_LONG, "the key is longer than the limit of " + LIMIT + " characters");
  }

  /** Returns nothing of the text. */
  @Override
  public String toString() {
    return "a key text";
  }
}
