package dev.countersign.signatures.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The named parameters of a query in the format of HTML forms, each with one canonical spelling
 * (RFC 9421 section 2.2.8).
 *
 * @see <a href="https://url.spec.whatwg.org/#application/x-www-form-urlencoded">URL Standard,
 *     section 5</a>
 */
final class RawQuery {
  private static final String HEX = "0123456789ABCDEF";

  private final Map<String, String> valuesAsSpelled = new HashMap<>();
  private final Set<String> repeated = new HashSet<>();

  private RawQuery() {}

  /** Parses a query, which begins with its question mark or is empty. */
  static RawQuery of(String query) {
    RawQuery parameters = new RawQuery();
    int start = query.startsWith("?") ? 1 : 0;
    while (start < query.length()) {
      int ampersand = query.indexOf('&', start);
      int end = ampersand < 0 ? query.length() : ampersand;
      // URL Standard section 5.1: the empty text between two adjacent ampersands is skipped.
      if (start < end) {
        parameters.add(query.substring(start, end));
      }
      start = end + 1;
    }
    return parameters;
  }

  private void add(String parameter) {
    int equals = parameter.indexOf('=');
    String name = equals < 0 ? parameter : parameter.substring(0, equals);
    // An invalid name has no canonical spelling, so the parameter cannot be covered.
    Optional<String> encodedName = canonical(name);
    String value = equals < 0 ? "" : parameter.substring(equals + 1);
    if (encodedName.isPresent() && valuesAsSpelled.put(encodedName.get(), value) != null) {
      repeated.add(encodedName.get());
    }
  }

  /**
   * Returns the canonical spelling of a name that is not yet encoded, or is encoded in another way;
   * empty if it has none.
   */
  static Optional<String> encoded(String name) {
    return canonical(name.replace(" ", "%20"));
  }

  /** Returns whether a name has its canonical spelling. */
  static boolean isEncoded(String name) {
    return canonical(name).filter(name::equals).isPresent();
  }

  /** Returns whether there is at least one parameter with this encoded name. */
  boolean has(String encodedName) {
    return valuesAsSpelled.containsKey(encodedName);
  }

  /**
   * Returns the encoded value of the only parameter with this encoded name.
   *
   * @throws IllegalArgumentException when no parameter or more than one parameter has this name, or
   *     when the value is not UTF-8
   */
  String valueOf(String encodedName) {
    String spelled = valuesAsSpelled.get(encodedName);
    if (spelled == null) {
      throw new IllegalArgumentException("the query has no such parameter");
    }
    // RFC 9421 section 2.2.8: a name that occurs several times must not be covered.
    if (repeated.contains(encodedName)) {
      throw new IllegalArgumentException("the query has this parameter more than once");
    }
    return canonical(spelled)
        .orElseThrow(() -> new IllegalArgumentException("the parameter's value is not UTF-8"));
  }

  private static boolean isCanonical(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isKept(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Decodes a text and encodes it again, with %20 for a space (URL Standard sections 5.1 and 5.2).
   * Empty if the text is invalid.
   */
  private static Optional<String> canonical(String text) {
    if (isCanonical(text)) {
      return Optional.of(text);
    }
    // RFC 3986 section 2: a URI is printable ASCII. If any other character were accepted, two
    // different queries would have the same value.
    return text.chars().allMatch(c -> c > ' ' && c <= '~')
        ? Optional.of(percentDecode(text)).filter(RawQuery::isUtf8).map(RawQuery::encode)
        : Optional.empty();
  }

  private static String encode(byte[] bytes) {
    StringBuilder encoded = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (isKept(c)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return encoded.toString();
  }

  /** URL Standard section 1.3: a percent sign without two hex digits stands for itself. */
  private static byte[] percentDecode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' && i + 2 < text.length() && isHex(text, i + 1) && isHex(text, i + 2)) {
        bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isHex(String text, int index) {
    char c = text.charAt(index);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  // Design note: the URL Standard decodes bytes that are not UTF-8 to a replacement character.
  // Different queries would then have the same value, so such a parameter is refused.
  private static boolean isUtf8(byte[] bytes) {
    CharBuffer characters = CharBuffer.allocate(bytes.length);
    return !UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), characters, true).isError();
  }

  /**
   * Returns whether a character stays as it is, because it is not in the form-urlencoded
   * percent-encode set (URL Standard section 1.3).
   */
  private static boolean isKept(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '*'
        || c == '-'
        || c == '.'
        || c == '_';
  }
}
