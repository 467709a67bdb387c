package dev.countersign.signatures.fields;

/**
 * The character classes of RFC 9651. They contain only ASCII characters, and never -1, which stands
 * for the end of the input.
 */
final class Ascii {

  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~:/";
  private static final char REPLACEMENT = '\ufffd';

  private Ascii() {}

  static boolean isPrintable(int c) {
    return c >= 0x20 && c <= 0x7e;
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  // RFC 9651 3.1.2: key = ( lcalpha / "*" ) *( lcalpha / DIGIT / "_" / "-" / "." / "*" )
  static boolean isKeyStart(int c) {
    return isLowerCase(c) || c == '*';
  }

  static boolean isKeyPart(int c) {
    return isKeyStart(c) || isDigit(c) || c == '_' || c == '-' || c == '.';
  }

  // RFC 9651 3.3.4: sf-token = ( ALPHA / "*" ) *( tchar / ":" / "/" )
  static boolean isTokenStart(int c) {
    return isLowerCase(c) || (c >= 'A' && c <= 'Z') || c == '*';
  }

  static boolean isTokenPart(int c) {
    return isTokenStart(c) || isDigit(c) || TOKEN_MARKS.indexOf(c) >= 0;
  }

  // RFC 9651 4.2.7: the base64 alphabet and its padding, not the URL-safe alphabet.
  static boolean isBase64(int c) {
    return isLowerCase(c)
        || (c >= 'A' && c <= 'Z')
        || isDigit(c)
        || c == '+'
        || c == '/'
        || c == '=';
  }

  /**
   * The text with a replacement for every character that is not printable ASCII, because such
   * characters could act on a terminal or a log. The length stays the same.
   */
  static String printable(CharSequence text) {
    StringBuilder printable = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      printable.append(isPrintable(text.charAt(i)) ? text.charAt(i) : REPLACEMENT);
    }
    return printable.toString();
  }

  private static boolean isLowerCase(int c) {
    return c >= 'a' && c <= 'z';
  }
}
