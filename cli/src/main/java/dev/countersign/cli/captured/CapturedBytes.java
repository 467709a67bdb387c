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

  /** The number of the last line read, from 1. */
  int line() {
    return line;
  }

  CaptureException wrong(String message) {
    return new CaptureException(Math.max(line, 1), message);
  }

  /**
   * Reads the next line without its line break. Each byte becomes one character.
   *
   * @param expected describes the line, for the message if the file ends before it
   */
  String nextLine(String expected) {
    line++;
    int end = position;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    if (end == bytes.length) {
      throw wrong("the file ends here; " + expected);
    }
    int length = end - position - (end > position && bytes[end - 1] == '\r' ? 1 : 0);
    String text = new String(bytes, position, length, ISO_8859_1);
    position = end + 1;
    return text;
  }

  /** Reads the given number of bytes, and counts the lines in them. */
  byte[] next(int count) {
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
