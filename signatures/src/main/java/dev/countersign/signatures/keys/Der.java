package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads DER (<a href="https://www.itu.int/rec/T-REC-X.690">X.690</a>, section 10), one element at a
 * time, within fixed bounds. It is strict: lengths must be definite, and both lengths and integers
 * must be in their shortest form. A caller must finish with {@link #requireEnd()}, which refuses
 * trailing data. Callers enter inner structures explicitly, so the depth of nesting depends on
 * their code and never on the input.
 */
final class Der {
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int NULL = 0x05;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int UTC_TIME = 0x17;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;

  private final byte[] bytes;
  private final int end;
  private int position;

  private Der(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  static Der of(byte[] bytes) {
    return new Der(bytes, 0, bytes.length);
  }

  /** The context-specific, constructed tag {@code [number]}. */
  static int context(int number) {
    return 0xa0 | number;
  }

  boolean nextIs(int tag) {
    return position < end && (bytes[position] & 0xff) == tag;
  }

  /**
   * Moves past the next element, which must have this tag, and returns a reader for its content.
   */
  Der enter(int tag) {
    if (!nextIs(tag)) {
      throw malformed("expected tag " + tag);
    }
    position++;
    int length = length();
    if (length > end - position) {
      throw malformed("an element is longer than its container; the text may be cut off");
    }
    Der content = new Der(bytes, position, position + length);
    position += length;
    return content;
  }

  void skip(int tag) {
    enter(tag);
  }

  void skipIfPresent(int tag) {
    if (nextIs(tag)) {
      enter(tag);
    }
  }

  /** Reads an INTEGER of zero or more; keys contain no negative numbers. */
  BigInteger integer() {
    Der content = enter(INTEGER);
    byte[] value = Arrays.copyOfRange(bytes, content.position, content.end);
    if (value.length == 0 || value[0] < 0) {
      throw content.malformed("an integer is empty or negative");
    }
    // X.690 8.3.2: the first nine bits are never all zero.
    if (value.length > 1 && value[0] == 0 && value[1] >= 0) {
      throw content.malformed("an integer has unnecessary leading zeros");
    }
    return new BigInteger(value);
  }

  /** Reads the content of an OBJECT IDENTIFIER in hexadecimal, which is enough to compare it. */
  String objectIdentifier() {
    Der content = enter(OBJECT_IDENTIFIER);
    return HexFormat.of().formatHex(bytes, content.position, content.end);
  }

  /** Enters a BIT STRING, which must have no unused bits. */
  Der bitString() {
    return bitString(BIT_STRING);
  }

  /** Like {@link #bitString()}, but with an implicit context-specific tag. */
  Der bitString(int tag) {
    Der content = enter(tag);
    if (!content.nextIs(0)) {
      throw content.malformed("a bit string of whole bytes was expected");
    }
    content.position++;
    return content;
  }

  /** Returns the remaining bytes unparsed, and moves to the end. */
  byte[] rest() {
    byte[] rest = Arrays.copyOfRange(bytes, position, end);
    position = end;
    return rest;
  }

  /**
   * Returns whether these bytes are exactly one SEQUENCE of two or more elements, like every key
   * file.
   */
  static boolean isStructure(byte[] bytes) {
    try {
      Der reader = of(bytes);
      Der content = reader.enter(SEQUENCE);
      reader.requireEnd();
      content.enter(content.octetAhead());
      content.enter(content.octetAhead());
      while (!content.isAtEnd()) {
        content.enter(content.octetAhead());
      }
      return true;
    } catch (KeyFileException e) {
      return false;
    }
  }

  /**
   * The number of bytes of the element that begins with these bytes, including its tag and length.
   * Returns 0 if these bytes are too few, or if the length has more than three octets. The rest of
   * the element need not be there.
   */
  static long announcedLength(byte[] head) {
    if (head.length < 2) {
      return 0;
    }
    int first = head[1] & 0xff;
    if (first < 0x80) {
      return 2L + first;
    }
    int count = first & 0x7f;
    if (count > 3 || head.length < 2 + count) {
      return 0;
    }
    long length = 0;
    for (int i = 0; i < count; i++) {
      length = length << 8 | (head[2 + i] & 0xff);
    }
    return 2 + count + length;
  }

  boolean isAtEnd() {
    return position == end;
  }

  void requireEnd() {
    if (!isAtEnd()) {
      throw malformed("data follows the complete structure");
    }
  }

  private int length() {
    int first = octet();
    if (first < 0x80) {
      return first;
    }
    // 0x80 is the indefinite form, which only BER allows. No key file needs a length of more than
    // three octets.
    int count = first & 0x7f;
    if (count < 1 || count > 3) {
      throw malformed("a length is not in DER form");
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length = length << 8 | octet();
    }
    // X.690 10.1: the shortest form.
    if (length < 0x80 || length >>> (8 * (count - 1)) == 0) {
      throw malformed("a length is not in its shortest form");
    }
    return length;
  }

  private int octetAhead() {
    return isAtEnd() ? -1 : bytes[position] & 0xff;
  }

  private int octet() {
    if (position >= end) {
      throw malformed("the data ends too early; the text may be cut off");
    }
    return bytes[position++] & 0xff;
  }

  private KeyFileException malformed(String what) {
    return new KeyFileException(
        MALFORMED, "the key is not valid DER at byte " + position + ": " + what);
  }
}
