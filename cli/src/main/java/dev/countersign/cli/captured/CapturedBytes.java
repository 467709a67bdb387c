package dev.countersign.cli.captured;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/** The bytes of a file, read line by line; a line ends with LF or CR LF (RFC 9112 section 2.2). */
final class CapturedBytes {
  private final byte[] bytes;
  private int position;
  private int line;

  CapturedBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the number of the line that was read last, from 1; 0 before the first. */
  int line() {
    return line;
  }

  /** Creates the exception for a problem in the line that was read last. */
  CaptureException malformed(String message) {
    return new CaptureException(Math.max(line, 1), message);
  }

  /**
   * Reads the next line without its line break. Each byte becomes one character.
   *
   * @param rule the rule that requires the line, for the message if the file ends too early
   */
  String nextLine(String rule) {
    line++;
    int end = position;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    if (end == bytes.length) {
      throw malformed("the file ends here; " + rule);
    }
    int length = end - position - (end > position && bytes[end - 1] == '\r' ? 1 : 0);
    String text = new String(bytes, position, length, ISO_8859_1);
    position = end + 1;
    return text;
  }

  /** Reads the given number of bytes, and counts the lines in them. */
  byte[] nextBytes(int count) {
    byte[] part = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    for (byte b : part) {
      line += b == '\n' ? 1 : 0;
    }
    return part;
  }

  int remaining() {
    return bytes.length - position;
  }

  /** Returns whether only line breaks are left. Editors add them at the end of files. */
  boolean onlyLineBreaksRemain() {
    for (int i = position; i < bytes.length; i++) {
      if (bytes[i] != '\n' && bytes[i] != '\r') {
        return false;
      }
    }
    return true;
  }
}
