package dev.countersign.signatures.fields;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bare items of RFC 9651 3.3 as patterns, with their canonical texts (RFC 9651 4.1.3.1). */
enum NaiveItem {
  /** Before the Integer, which is how a Decimal begins. */
  DECIMAL("-?[0-9]{1,12}\\.[0-9]{1,3}") {
    @Override
    Optional<String> canonical(String text) {
      String[] parts = text.split("\\.");
      String fraction = parts[1].replaceAll("0+$", "");
      String number = withoutZeros(parts[0]) + "." + (fraction.isEmpty() ? "0" : fraction);
      return Optional.of(number.equals("-0.0") ? "0.0" : number);
    }
  },
  INTEGER("-?[0-9]{1,15}") {
    @Override
    Optional<String> canonical(String text) {
      String number = withoutZeros(text);
      return Optional.of(number.equals("-0") ? "0" : number);
    }
  },
  /** A Date with a Decimal is cut at its point, where the text may not continue. */
  DATE("@-?[0-9]{1,15}") {
    @Override
    Optional<String> canonical(String text) {
      return INTEGER.canonical(text.substring(1)).map(seconds -> "@" + seconds);
    }
  },
  BOOLEAN("\\?[01]"),
  TOKEN("[A-Za-z*][!#$%&'*+\\-.^_`|~0-9A-Za-z:/]*"),
  /** Escaping is required wherever it is allowed, so there is one way to write a String. */
  STRING("\"[ !#-\\[\\]-~]*+(?:\\\\[\"\\\\][ !#-\\[\\]-~]*+)*+\""),
  /** Either fully padded or not at all. */
  BYTES(":(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?:") {
    @Override
    Optional<String> canonical(String text) {
      StringBuilder bits = new StringBuilder();
      for (char c : text.replaceAll("[:=]", "").toCharArray()) {
        bits.append(binary(BASE64.indexOf(c)));
      }
      bits.setLength(bits.length() / 8 * 8);
      StringBuilder base64 = new StringBuilder();
      while (bits.length() > 0) {
        bits.append("0".repeat(bits.length() < 6 ? 6 - bits.length() : 0));
        base64.append(BASE64.charAt(Integer.parseInt(bits.substring(0, 6), 2)));
        bits.delete(0, 6);
      }
      return Optional.of(":" + base64 + "=".repeat((4 - base64.length() % 4) % 4) + ":");
    }
  },
  DISPLAY_STRING("%\"[ !#-$&-~]*+(?:%[0-9a-f]{2}[ !#-$&-~]*+)*+\"") {
    @Override
    Optional<String> canonical(String text) {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      Matcher parts = OCTET.matcher(text.substring(2, text.length() - 1));
      while (parts.find()) {
        String part = parts.group();
        octets.write(part.length() == 1 ? part.charAt(0) : Integer.parseInt(part.substring(1), 16));
      }
      String latin = octets.toString(ISO_8859_1);
      Matcher utf8 = UTF_8_CHARACTER.matcher(latin);
      int end = 0;
      while (utf8.region(end, latin.length()).lookingAt()) {
        end = utf8.end();
      }
      return end < latin.length() ? Optional.empty() : Optional.of("%\"" + escaped(latin) + '"');
    }
  };

  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final Pattern OCTET = Pattern.compile("%..|.");
  // RFC 3629 4
  private static final Pattern UTF_8_CHARACTER =
      Pattern.compile(
          "[\\x00-\\x7f]"
              + "|[\\xc2-\\xdf][\\x80-\\xbf]"
              + "|\\xe0[\\xa0-\\xbf][\\x80-\\xbf]"
              + "|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}"
              + "|\\xed[\\x80-\\x9f][\\x80-\\xbf]"
              + "|\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}"
              + "|[\\xf1-\\xf3][\\x80-\\xbf]{3}"
              + "|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}");

  private final Pattern form;

  NaiveItem(String form) {
    this.form = Pattern.compile(form);
  }

  Pattern form() {
    return form;
  }

  /** Returns the canonical text of a text with this form; empty if it has no value. */
  Optional<String> canonical(String text) {
    return Optional.of(text);
  }

  private static String withoutZeros(String integer) {
    return integer.replaceFirst("^(-?)0+(?=[0-9])", "$1");
  }

  private static String binary(int sixBits) {
    return Integer.toBinaryString(64 | sixBits).substring(1);
  }

  private static String escaped(String latin) {
    StringBuilder escaped = new StringBuilder();
    for (char c : latin.toCharArray()) {
      boolean plain = c >= ' ' && c <= '~' && c != '%' && c != '"';
      escaped.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02x", (int) c));
    }
    return escaped.toString();
  }
}
