package dev.countersign.signatures.fields;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Parses the eight types of bare items. Each algorithm of RFC 9651 4.2 is one method, with its
 * section number above it.
 */
final class BareItemParser {

  // RFC 9651 3.3.1 and 3.3.2: the maximum numbers of digits in an Integer, and before and after the
  // point of a Decimal.
  private static final int INTEGER_DIGITS = 15;
  private static final int DECIMAL_INTEGER_DIGITS = 12;
  private static final int DECIMAL_FRACTION_DIGITS = 3;

  private final Cursor cursor;

  BareItemParser(Cursor cursor) {
    this.cursor = cursor;
  }

  // RFC 9651 4.2.3.1
  BareItem bareItem() {
    int first = cursor.peek();
    if (first == '-' || Ascii.isDigit(first)) {
      return integerOrDecimal();
    }
    if (Ascii.isTokenStart(first)) {
      return token();
    }
    return switch (first) {
      case '"' -> string();
      case ':' -> byteSequence();
      case '?' -> bool();
      case '@' -> date();
      case '%' -> displayString();
      default -> throw cursor.expected("an item");
    };
  }

  // RFC 9651 4.2.4
  private BareItem integerOrDecimal() {
    boolean negative = cursor.skip('-');
    if (!Ascii.isDigit(cursor.peek())) {
      throw cursor.expected("a digit");
    }
    int start = cursor.position();
    long magnitude = digits(0, INTEGER_DIGITS);
    if (cursor.peek() != '.') {
      return new IntegerItem(negative ? -magnitude : magnitude);
    }
    if (cursor.position() - start > DECIMAL_INTEGER_DIGITS) {
      throw cursor.expected("at most " + DECIMAL_INTEGER_DIGITS + " digits before '.'");
    }
    cursor.advance();
    int fraction = cursor.position();
    if (!Ascii.isDigit(cursor.peek())) {
      throw cursor.expected("a digit after '.'");
    }
    long unscaled = digits(magnitude, DECIMAL_FRACTION_DIGITS);
    int scale = cursor.position() - fraction;
    return new DecimalItem(BigDecimal.valueOf(negative ? -unscaled : unscaled, scale));
  }

  /**
   * Appends the next digits of the input to a number. The result has at most fifteen digits, so it
   * cannot overflow.
   */
  private long digits(long number, int maximum) {
    long result = number;
    int start = cursor.position();
    while (Ascii.isDigit(cursor.peek())) {
      if (cursor.position() - start == maximum) {
        throw cursor.expected("at most " + maximum + " digits");
      }
      result = result * 10 + (cursor.peek() - '0');
      cursor.advance();
    }
    return result;
  }

  // RFC 9651 4.2.5
  private StringItem string() {
    cursor.advance();
    int start = cursor.position();
    boolean escaped = false;
    for (int c = cursor.peek(); c != '"'; c = cursor.peek()) {
      if (c == '\\') {
        escaped = true;
        cursor.advance();
        if (cursor.peek() != '"' && cursor.peek() != '\\') {
          throw cursor.expected("'\"' or '\\' after '\\'");
        }
      }
      quotedCharacter();
    }
    String text = cursor.textFrom(start);
    cursor.advance();
    return new StringItem(escaped ? unescaped(text) : text);
  }

  private static String unescaped(String text) {
    StringBuilder result = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      }
      result.append(text.charAt(i));
    }
    return result.toString();
  }

  /** Consumes and returns a character inside quotes. */
  private char quotedCharacter() {
    int c = cursor.peek();
    if (c == Cursor.END) {
      throw cursor.expected("a closing '\"'");
    }
    if (!Ascii.isPrintable(c)) {
      throw cursor.expected("a printable ASCII character or a closing '\"'");
    }
    cursor.advance();
    return (char) c;
  }

  // RFC 9651 4.2.6
  private TokenItem token() {
    int start = cursor.position();
    while (Ascii.isTokenPart(cursor.peek())) {
      cursor.advance();
    }
    return new TokenItem(cursor.textFrom(start));
  }

  // RFC 9651 4.2.7: parsers should accept base64 without padding or with pad bits that are not
  // zero.
  private ByteSequence byteSequence() {
    cursor.advance();
    String base64 = cursor.textTo(':');
    try {
      // The decoder checks every character, many times faster than a loop here would.
      ByteSequence bytes = ByteSequence.owning(Base64.getDecoder().decode(base64));
      cursor.advance(base64.length());
      if (cursor.skip(':')) {
        return bytes;
      }
    } catch (IllegalArgumentException notBase64) {
      // The decoder's exception has no position in the field. The exception below has one.
    }
    throw notByteSequence();
  }

  private FieldParseException notByteSequence() {
    int start = cursor.position();
    while (Ascii.isBase64(cursor.peek())) {
      cursor.advance();
    }
    return cursor.peek() == ':'
        ? cursor.expectedAt(start, "well-formed base64")
        : cursor.expected("a base64 character or a closing ':'");
  }

  // RFC 9651 4.2.8
  private BooleanItem bool() {
    cursor.advance();
    if (cursor.skip('1')) {
      return BooleanItem.TRUE;
    }
    if (cursor.skip('0')) {
      return BooleanItem.FALSE;
    }
    throw cursor.expected("'0' or '1'");
  }

  // RFC 9651 4.2.9
  private DateItem date() {
    cursor.advance();
    int start = cursor.position();
    if (integerOrDecimal() instanceof IntegerItem seconds) {
      return new DateItem(seconds.value());
    }
    throw cursor.expectedAt(start, "whole seconds");
  }

  // RFC 9651 4.2.10
  private DisplayString displayString() {
    int opening = cursor.position();
    cursor.advance();
    if (!cursor.skip('"')) {
      throw cursor.expected("'\"' after '%'");
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    while (!cursor.skip('"')) {
      char c = quotedCharacter();
      octets.write(c == '%' ? hexDigit() << 4 | hexDigit() : c);
    }
    try {
      // This decoder reports malformed UTF-8 instead of replacing it, and keeps a byte order mark.
      ByteBuffer utf8 = ByteBuffer.wrap(octets.toByteArray());
      return new DisplayString(StandardCharsets.UTF_8.newDecoder().decode(utf8).toString());
    } catch (CharacterCodingException e) {
      throw cursor.expectedAt(opening, "a Display String of well-formed UTF-8");
    }
  }

  // RFC 9651 4.2.10: upper-case hexadecimal digits are refused.
  private int hexDigit() {
    int c = cursor.peek();
    int value = Ascii.isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (value < 0) {
      throw cursor.expected("two hexadecimal digits in lower case after '%'");
    }
    cursor.advance();
    return value;
  }
}
