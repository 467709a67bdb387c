package dev.countersign.signatures.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes percent-encoding (RFC 3986 section 2.1), and detects how a path or query was re-encoded.
 */
final class Percent {
  private static final CauseRule HEX_CASE =
      CauseRule.same(LikelyCause.HEX_CASE, Percent::upperCase);
  private static final CauseRule TWICE =
      CauseRule.either(LikelyCause.ENCODED_TWICE, (a, b) -> decode(a).equals(b));

  /** Rules for a path, in which a plus sign has no special meaning. */
  static final List<CauseRule> PATH_RULES =
      List.of(HEX_CASE, CauseRule.same(LikelyCause.PATH_RE_ENCODED, Percent::decode), TWICE);

  /** Rules for a query, in which HTML forms write a space as a plus sign. */
  static final List<CauseRule> QUERY_RULES =
      List.of(
          HEX_CASE,
          CauseRule.same(LikelyCause.QUERY_RE_ENCODED, Percent::decode),
          CauseRule.either(LikelyCause.PLUS_FOR_SPACE, Percent::isPlusForSpace),
          CauseRule.same(LikelyCause.QUERY_RE_ENCODED, Percent::decodeForm),
          TWICE);

  private Percent() {}

  /** Appends the rules of a path or a query to other rules. */
  static List<CauseRule> after(List<CauseRule> first, List<CauseRule> rules) {
    List<CauseRule> all = new ArrayList<>(first);
    all.addAll(rules);
    return List.copyOf(all);
  }

  private static boolean isPlusForSpace(String a, String b) {
    int i = CauseRule.mismatch(a, b);
    return a.startsWith("+", i) && b.startsWith("%20", i) && decodeForm(a).equals(decodeForm(b));
  }

  private static String decodeForm(String text) {
    return decode(text.replace('+', ' '));
  }

  /** The decoded bytes, each as one character; a stray percent sign stays as it is. */
  static String decode(String text) {
    byte[] encoded = text.getBytes(UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      if (isEncoded(encoded, i)) {
        decoded.write(hexValue((char) encoded[i + 1]) * 16 + hexValue((char) encoded[i + 2]));
        i += 2;
      } else {
        decoded.write(encoded[i]);
      }
    }
    return decoded.toString(ISO_8859_1);
  }

  private static String upperCase(String text) {
    byte[] encoded = text.getBytes(UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (isEncoded(encoded, i)) {
        encoded[i + 1] = (byte) Character.toUpperCase(encoded[i + 1]);
        encoded[i + 2] = (byte) Character.toUpperCase(encoded[i + 2]);
        i += 2;
      }
    }
    return new String(encoded, ISO_8859_1);
  }

  private static boolean isEncoded(byte[] text, int i) {
    return text[i] == '%'
        && i + 2 < text.length
        && hexValue((char) text[i + 1]) >= 0
        && hexValue((char) text[i + 2]) >= 0;
  }

  /** The value of an ASCII hexadecimal digit; -1 for anything else. */
  static int hexValue(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
