package dev.countersign.signatures.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detects private keys in a text, whole or in part, whatever header the text has. If in doubt, it
 * assumes that there is a private key. These do not count: a BEGIN or END line without a key, as in
 * "we kept -----BEGIN PRIVATE KEY-----", if the text has other such lines; a private member of a
 * JWK that is null or empty; and an empty private element of an RSAKeyValue.
 *
 * <p>The text may have any length: each search takes linear time. The script {@code
 * private-keys.js} of the portal makes the same decisions.
 */
final class PrivateKeyTraces {
  // A BEGIN or END line. Labels are short, so the search is bounded. Dashes may be missing or
  // damaged.
  private static final Pattern BOUNDARY =
      Pattern.compile("\\b(BEGIN|END) [A-Z0-9 ]{0,40}?(?:(PRIVATE KEY(?: BLOCK)?)|(?=-))");
  private static final Pattern PRIVATE_BOUNDARY =
      Pattern.compile("-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----");
  private static final String PUTTY = "PuTTY-User-Key-File-";

  // RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1. The quotes may be single, missing or escaped.
  private static final Pattern PRIVATE_MEMBER =
      Pattern.compile("(?:^|[^A-Za-z0-9_$.-])(d|dp|dq|p|q|qi|oth|k)(?![A-Za-z0-9_$.-])");
  private static final Pattern KTY = Pattern.compile("(?:^|[^A-Za-z0-9_])kty(?![A-Za-z0-9_])");
  private static final Pattern JSON_START = Pattern.compile("[ \\r\\n]*+[{\\[]");
  private static final Pattern NULL = Pattern.compile("null(?![A-Za-z0-9_])");
  private static final Pattern EMPTY_QUOTES = Pattern.compile("(\\\\{0,4}[\"'])\\1");
  private static final Pattern LONG_VALUE = Pattern.compile("\\\\{0,4}[\"']?[A-Za-z0-9+/_-]{16}");

  private static final Pattern PRIVATE_ELEMENT =
      Pattern.compile("<(?:[A-Za-z0-9]{1,9}:)?(D|P|Q|DP|DQ|InverseQ)>");

  // The number of base64 characters at the beginning of a key that show what it is.
  private static final int HEAD_CHARACTERS = 64;
  // The minimum number of base64 characters in a long run.
  private static final int LONG_RUN_CHARACTERS = 16;
  // The maximum number of texts that are searched within one stretch of base64.
  private static final int MAX_INNER_TEXTS = 8;

  private PrivateKeyTraces() {}

  /** Returns whether the text contains, or may contain, a private key. */
  static boolean existIn(String text) {
    return existIn(text, true);
  }

  private static boolean existIn(String text, boolean outermost) {
    String plain = toPlain(text);
    return hasFilledBlock(plain)
        || plain.contains(PUTTY)
        || hasPrivateMember(plain)
        || hasPrivateElement(plain)
        || hasEncodedKey(plain, outermost);
  }

  /**
   * Removes the BEGIN and END lines of private keys from a text. The text must not contain a
   * private key, so {@link #existIn} must be false for it.
   */
  static String withoutPrivateBoundaries(String text) {
    return PRIVATE_BOUNDARY.matcher(text).replaceAll("");
  }

  /**
   * Returns the text without invisible characters and with hyphens for all dashes. Spaces, tabs,
   * and escaped tabs and line breaks become simple spaces; line breaks remain.
   */
  private static String toPlain(String given) {
    String text = PastedText.withoutInvisibleCharacters(given);
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      int type = Character.getType(c);
      if (c == '\\' && i + 1 < text.length() && "rnt".indexOf(text.charAt(i + 1)) >= 0) {
        plain.append(' ');
        i++;
      } else if (type == Character.DASH_PUNCTUATION) {
        plain.append('-');
      } else if (Character.isSpaceChar(c) || c == '\t' || c == '\u000b' || c == '\f') {
        plain.append(' ');
      } else {
        plain.appendCodePoint(c);
      }
    }
    return plain.toString();
  }

  /**
   * Returns whether a possible key follows a private BEGIN line or precedes a private END line.
   * Text with an upper case letter or a digit is a possible key, because every key has some. If a
   * text has only one BEGIN or END line, and this line is private, no key is needed, because the
   * text may have been cut off there.
   */
  private static boolean hasFilledBlock(String plain) {
    Matcher boundary = BOUNDARY.matcher(plain);
    int boundaries = 0;
    int contentStart = 0;
    boolean followsPrivateBegin = false;
    boolean anyPrivate = false;
    while (boundary.find()) {
      boolean isBegin = boundary.group(1).equals("BEGIN");
      boolean isPrivate = boundary.group(2) != null;
      boolean isPrivateContent = followsPrivateBegin || (isPrivate && !isBegin);
      if (isPrivateContent && mayHaveKey(plain, contentStart, boundary.start())) {
        return true;
      }
      boundaries++;
      followsPrivateBegin = isPrivate && isBegin;
      anyPrivate |= isPrivate;
      contentStart = boundary.end();
    }
    return (followsPrivateBegin && mayHaveKey(plain, contentStart, plain.length()))
        || (anyPrivate && boundaries == 1);
  }

  private static boolean mayHaveKey(String plain, int start, int end) {
    return plain.substring(start, end).chars().anyMatch(c -> isUpper(c) || isDigit(c));
  }

  /** Returns whether a JWK has a private member that is neither null nor empty. */
  private static boolean hasPrivateMember(String plain) {
    boolean isJwk = KTY.matcher(plain).find();
    boolean isJson = starts(JSON_START, plain, 0);
    Matcher name = PRIVATE_MEMBER.matcher(plain);
    while (name.find()) {
      int end = afterClosingQuote(plain, name.end());
      boolean isQuoted = end > name.end();
      int colon = afterSpaces(plain, end, isQuoted);
      if (at(plain, colon) == ':') {
        int value = afterSpaces(plain, colon + 1, isQuoted);
        // In a text without kty, only a quoted d counts, and only in JSON or with a long value.
        boolean nameCounts = isJwk || (name.group(1).equals("d") && isQuoted);
        boolean valueCounts = isJwk || isJson || starts(LONG_VALUE, plain, value);
        if (nameCounts && valueCounts && !isEmptyValue(plain, value, isQuoted)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The place after the quote that closes a name, or the same place if there is no quote. */
  private static int afterClosingQuote(String plain, int place) {
    int quote = place;
    while (at(plain, quote) == '\\' && quote < place + 4) {
      quote++;
    }
    return at(plain, quote) == '"' || at(plain, quote) == '\'' ? quote + 1 : place;
  }

  private static boolean isEmptyValue(String plain, int value, boolean isQuoted) {
    // In YAML, a name without quotes may have no value, which is null.
    boolean isMissing =
        !isQuoted && (value >= plain.length() || "\r\n,}".indexOf(at(plain, value)) >= 0);
    return isMissing || starts(NULL, plain, value) || starts(EMPTY_QUOTES, plain, value);
  }

  private static boolean starts(Pattern pattern, String text, int place) {
    return place <= text.length() && pattern.matcher(text).region(place, text.length()).lookingAt();
  }

  private static int afterSpaces(String plain, int place, boolean acrossLines) {
    int after = place;
    while (at(plain, after) == ' '
        || (acrossLines && (at(plain, after) == '\n' || at(plain, after) == '\r'))) {
      after++;
    }
    return after;
  }

  /** Returns whether an RSAKeyValue of XML has a private element that is not empty. */
  private static boolean hasPrivateElement(String plain) {
    boolean isRsa = plain.contains("RSAKeyValue") || plain.contains("RSAParameters");
    Matcher element = PRIVATE_ELEMENT.matcher(plain);
    while (element.find()) {
      int value = afterSpaces(plain, element.end(), true);
      // In a text without these words, only D and InverseQ are enough: the others can mean
      // something else.
      boolean isDistinctive = element.group(1).equals("D") || element.group(1).equals("InverseQ");
      boolean counts = isRsa || (isDistinctive && starts(LONG_VALUE, plain, value));
      if (counts && at(plain, value) != '<') {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether base64 in the text begins like a private key in DER or another binary form, or,
   * in the outermost text, encodes a text with a private key.
   */
  private static boolean hasEncodedKey(String plain, boolean outermost) {
    int start = 0;
    for (int i = 0; i <= plain.length(); i++) {
      if (i == plain.length() || !(isBase64(plain.charAt(i)) || isSpace(plain.charAt(i)))) {
        if (i > start && hasEncodedKey(new SpacedBase64(plain.substring(start, i)), outermost)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }

  private static boolean hasEncodedKey(SpacedBase64 base64, boolean outermost) {
    int publicKeyEnd = 0;
    int innerTexts = 0;
    for (int start = 0; start >= 0; start = base64.nextRun(start)) {
      byte[] head = base64.decode(start, HEAD_CHARACTERS);
      KeyTextKind kind = KeyTextKind.ofHead(head);
      if (kind.isPrivate()) {
        // The bytes of a public key can look like a private key by chance. But the public key may
        // be cut off, with a private key behind it.
        if (start >= publicKeyEnd || KeyTextKind.isClearlyPrivate(head)) {
          return true;
        }
      } else if (kind != KeyTextKind.UNKNOWN && kind != KeyTextKind.BASE64_OF_PEM) {
        publicKeyEnd = Math.max(publicKeyEnd, start + base64.lengthOf(head));
      } else if (outermost && innerTexts < MAX_INNER_TEXTS && isText(head)) {
        // Each inner text is decoded up to the end of the base64, so their number is limited.
        innerTexts++;
        String inner = new String(base64.decode(start, Integer.MAX_VALUE), ISO_8859_1);
        if (existIn(inner.replace("\0", ""), false)) {
          return true;
        }
      }
    }
    return false;
  }

  // UTF-8 or UTF-16, with or without a byte order mark.
  private static boolean isText(byte[] head) {
    for (int i = 0; i < head.length; i++) {
      boolean mayBeByteOrderMark = i < 3 && head[i] < 0;
      boolean isAscii = head[i] >= ' ' || head[i] == 0 || (head[i] >= '\t' && head[i] <= '\r');
      if (!mayBeByteOrderMark && !isAscii) {
        return false;
      }
    }
    return head.length >= 9;
  }

  private static int at(String text, int place) {
    return place < text.length() ? text.charAt(place) : -1;
  }

  private static boolean isBase64(int c) {
    return isUpper(c) || isDigit(c) || (c >= 'a' && c <= 'z') || c == '+' || c == '/';
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\n' || c == '\r';
  }

  private static boolean isUpper(int c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Base64 characters, separated by spaces and line breaks. A key can begin at the first character,
   * or, if words precede it, at the start of a long run: words are base64 characters, too.
   */
  private static final class SpacedBase64 {
    private final String compact;
    // For each character in compact, whether a long run begins there.
    private final boolean[] runStarts;

    SpacedBase64(String text) {
      StringBuilder characters = new StringBuilder(text.length());
      this.runStarts = new boolean[text.length()];
      int runStart = 0;
      for (int i = 0; i <= text.length(); i++) {
        if (i == text.length() || isSpace(text.charAt(i))) {
          if (characters.length() - runStart >= LONG_RUN_CHARACTERS) {
            runStarts[runStart] = true;
          }
          runStart = characters.length();
        } else {
          characters.append(text.charAt(i));
        }
      }
      this.compact = characters.toString();
    }

    /** The start of the next long run after this place, or -1. */
    int nextRun(int place) {
      for (int i = place + 1; i < compact.length(); i++) {
        if (runStarts[i]) {
          return i;
        }
      }
      return -1;
    }

    byte[] decode(int start, int limit) {
      int length = Math.min(compact.length() - start, limit) / 4 * 4;
      return Base64.getDecoder().decode(compact.substring(start, start + length));
    }

    /** The number of base64 characters of the structure that begins with these bytes. */
    int lengthOf(byte[] head) {
      long bytes = Der.announcedLength(head);
      return (int) Math.min(compact.length(), (bytes * 4 + 2) / 3);
    }
  }
}
