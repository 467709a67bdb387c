package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
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

/** Reads the text of a key from a file or from bytes, with a limit on its length. */
final class KeyText {
  /** The maximum length of a key's text in characters, and of a key's file in bytes. */
  static final int LIMIT = 64 * 1024;

  private KeyText() {}

  /** The text without its byte order mark; refuses text that is blank or too long to be a key. */
  static String bounded(String text) {
    if (text.length() > LIMIT) {
      throw tooLong();
    }
    String bare = text.startsWith("\ufeff") ? text.substring(1) : text;
    if (bare.isBlank()) {
      throw new KeyFileException(EMPTY, "the key is empty: paste the whole PEM text of the key");
    }
    return bare;
  }

  static String ofFile(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in.readNBytes(LIMIT + 1));
    } catch (NoSuchFileException e) {
      throw new KeyFileException(UNREADABLE, "there is no such file");
    } catch (IOException e) {
      throw new KeyFileException(
          UNREADABLE, "the file cannot be read: " + e.getClass().getSimpleName());
    }
  }

  static String of(byte[] bytes) {
    if (bytes.length > LIMIT) {
      throw tooLong();
    }
    if (isDer(bytes)) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    return new String(bytes, isUtf16(bytes) ? UTF_16 : UTF_8);
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
}
