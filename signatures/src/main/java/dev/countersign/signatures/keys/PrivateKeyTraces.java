package dev.countersign.signatures.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides whether a text contains a private key, whole or in part, whatever its header says. When
 * in doubt, it does. A header line without a key, as in "we kept -----BEGIN PRIVATE KEY-----", is
 * no doubt if the text has another block. Neither is a JWK whose private members are null or empty.
 *
 * <p>The text may have any length: each search takes linear time. The script {@code
 * private-keys.js} of the portal makes the same decisions.
 */
final class PrivateKeyTraces {
  // Labels are short, so the search is bounded. Dashes may be missing or damaged.
  private static final Pattern HEADER =
      Pattern.compile("\\b(BEGIN|END) [A-Z0-9 ]{0,40}?(?:(PRIVATE KEY(?: BLOCK)?)|(?=-))");
  private static final Pattern PRIVATE_HEADER =
      Pattern.compile("-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----");
  private static final String PUTTY = "PuTTY-User-Key-File-";

  // RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1. The quotes may be single, missing or escaped.
  private static final Pattern MEMBER =
      Pattern.compile("(?:^|[^A-Za-z0-9_$.-])(d|dp|dq|p|q|qi|oth|k)(?![A-Za-z0-9_$.-])");
  private static final Pattern KTY = Pattern.compile("(?:^|[^A-Za-z0-9_])kty(?![A-Za-z0-9_])");
  private static final Pattern JSON_START = Pattern.compile("[ \\r\\n]*+[{\\[]");
  private static final Pattern NULL = Pattern.compile("null(?![A-Za-z0-9_])");
  private static final Pattern EMPTY_QUOTES = Pattern.compile("(\\\\{0,4}[\"'])\\1");
  private static final Pattern LONG_VALUE = Pattern.compile("\\\\{0,4}[\"']?[A-Za-z0-9+/_-]{16}");

  private static final Pattern XML_ELEMENT =
      Pattern.compile("<(?:[A-Za-z0-9]{1,9}:)?(D|P|Q|DP|DQ|InverseQ)>");

  private static final int HEAD = 64;
  private static final int LONG_RUN = 16;
  private static final int MOST_TEXTS = 8;

  private PrivateKeyTraces() {}

  static boolean in(String text) {
    return in(text, true);
  }

  private static boolean in(String text, boolean outermost) {
    String plain = plain(text);
    return hasFilledBlock(plain)
        || plain.contains(PUTTY)
        || hasMember(plain)
        || hasElement(plain)
        || hasDer(plain, outermost);
  }

  /** Returns a text in which {@link #in} found no private key, without the header lines of one. */
  static String withoutHeaders(String text) {
    return PRIVATE_HEADER.matcher(text).replaceAll("");
  }

  /** The text without invisible characters, with simple dashes, spaces and line breaks. */
  private static String plain(String given) {
    String text = PastedText.withoutInvisible(given);
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
   * Returns whether a private BEGIN line is followed, or a private END line preceded, by something
   * that may be a key. Every key has upper case letters or digits. The only header of a text needs
   * no key, because the text may have been cut off there.
   */
  private static boolean hasFilledBlock(String plain) {
    Matcher header = HEADER.matcher(plain);
    int headers = 0;
    int content = 0;
    boolean isOpen = false;
    boolean isPrivate = false;
    while (header.find()) {
      boolean begins = header.group(1).equals("BEGIN");
      boolean named = header.group(2) != null;
      if ((isOpen || (named && !begins)) && hasMaterial(plain, content, header.start())) {
        return true;
      }
      headers++;
      isOpen = named && begins;
      isPrivate |= named;
      content = header.end();
    }
    return (isOpen && hasMaterial(plain, content, plain.length())) || (isPrivate && headers == 1);
  }

  private static boolean hasMaterial(String plain, int start, int end) {
    return plain.substring(start, end).chars().anyMatch(c -> isUpper(c) || isDigit(c));
  }

  /** Returns whether a JWK has a private member that is neither null nor empty. */
  private static boolean hasMember(String plain) {
    boolean isJwk = KTY.matcher(plain).find();
    boolean isJson = starts(JSON_START, plain, 0);
    Matcher name = MEMBER.matcher(plain);
    while (name.find()) {
      int end = closed(plain, name.end());
      boolean isQuoted = end > name.end();
      int colon = afterSpaces(plain, end, isQuoted);
      if (at(plain, colon) == ':') {
        int value = afterSpaces(plain, colon + 1, isQuoted);
        boolean isSecret = isJwk || (name.group(1).equals("d") && isQuoted);
        boolean isLikely = isJwk || isJson || starts(LONG_VALUE, plain, value);
        if (isSecret && isLikely && !isEmptyValue(plain, value, isQuoted)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The place after the quote that closes a name, or the same place if there is no quote. */
  private static int closed(String plain, int place) {
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

  private static int afterSpaces(String plain, int place, boolean andLines) {
    int after = place;
    while (at(plain, after) == ' '
        || (andLines && (at(plain, after) == '\n' || at(plain, after) == '\r'))) {
      after++;
    }
    return after;
  }

  /** Returns whether an RSAKeyValue of XML has a private element that is not empty. */
  private static boolean hasElement(String plain) {
    boolean isRsa = plain.contains("RSAKeyValue") || plain.contains("RSAParameters");
    Matcher element = XML_ELEMENT.matcher(plain);
    while (element.find()) {
      int value = afterSpaces(plain, element.end(), true);
      boolean isAlone = element.group(1).equals("D") || element.group(1).equals("InverseQ");
      boolean isLikely = isRsa || (isAlone && starts(LONG_VALUE, plain, value));
      if (isLikely && at(plain, value) != '<') {
        return true;
      }
    }
    return false;
  }

  /** Returns whether base64 in the text begins like a private key in DER, or hides such a text. */
  private static boolean hasDer(String plain, boolean outermost) {
    int start = 0;
    for (int i = 0; i <= plain.length(); i++) {
      if (i == plain.length() || !(isBase64(plain.charAt(i)) || isSpace(plain.charAt(i)))) {
        if (i > start && hasDer(new Stretch(plain.substring(start, i)), outermost)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }

  private static boolean hasDer(Stretch stretch, boolean outermost) {
    int examined = 0;
    int texts = 0;
    for (int start = 0; start >= 0; start = stretch.nextRun(start)) {
      if (start < examined) {
        continue;
      }
      byte[] head = stretch.decoded(start, HEAD);
      KeyTextKind kind = KeyTextKind.ofHead(head);
      if (kind.isPrivate()) {
        return true;
      }
      if (kind != KeyTextKind.UNKNOWN && kind != KeyTextKind.BASE64_OF_PEM) {
        // The bytes of a public key may spell anything.
        examined = start + stretch.lengthOf(head);
      } else if (outermost && texts < MOST_TEXTS && isText(head)) {
        // Each is decoded up to the end of the stretch, so their number is limited.
        texts++;
        String inner = new String(stretch.decoded(start, Integer.MAX_VALUE), ISO_8859_1);
        if (in(inner.replace("\0", ""), false)) {
          return true;
        }
      }
    }
    return false;
  }

  // UTF-8 or UTF-16, with or without a byte order mark.
  private static boolean isText(byte[] head) {
    for (int i = 0; i < head.length; i++) {
      boolean isMark = i < 3 && head[i] < 0;
      boolean isAscii = head[i] >= ' ' || head[i] == 0 || (head[i] >= '\t' && head[i] <= '\r');
      if (!isMark && !isAscii) {
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
   * Base64 characters with spaces and line breaks among them. A key can begin where the stretch
   * begins, or, if words precede it, where a long run of base64 characters begins.
   */
  private static final class Stretch {
    private final String compact;
    // Whether a long run begins at this character.
    private final boolean[] runs;

    Stretch(String text) {
      StringBuilder characters = new StringBuilder(text.length());
      this.runs = new boolean[text.length()];
      int run = 0;
      for (int i = 0; i <= text.length(); i++) {
        if (i == text.length() || isSpace(text.charAt(i))) {
          if (characters.length() - run >= LONG_RUN) {
            runs[run] = true;
          }
          run = characters.length();
        } else {
          characters.append(text.charAt(i));
        }
      }
      this.compact = characters.toString();
    }

    /** The start of the next long run after this place, or -1. */
    int nextRun(int place) {
      for (int i = place + 1; i < compact.length(); i++) {
        if (runs[i]) {
          return i;
        }
      }
      return -1;
    }

    byte[] decoded(int start, int limit) {
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
