package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Turns the text of a public key, as people copy it from mails, pages and the answers of key
 * management services, into text that the strict readers accept. JSON with several different keys
 * is refused. A text without a key is not refused here: the readers explain why they refuse it.
 *
 * <ul>
 *   <li>Invisible characters (category Cf) are dropped, and dashes (category Pd) in BEGIN and END
 *       lines become hyphens.
 *   <li>Quotes around a key are removed; within double quotes, escapes are resolved.
 *   <li>The only key in JSON is taken out of the JSON. A JWK is not changed.
 *   <li>If the base64 encodes a key in DER and a line break after it, the line break is dropped.
 * </ul>
 */
final class PastedText {
  private static final String BEGIN = "-----BEGIN ";
  // A BEGIN or END line with any dashes.
  private static final Pattern BOUNDARY =
      Pattern.compile("\\p{Pd}{1,9} ?(BEGIN|END) ([A-Z0-9][A-Z0-9 ]{0,38}[A-Z0-9]) ?\\p{Pd}{1,9}");
  // AWS KMS: PublicKey. Vault: public_key. Google Cloud KMS: pem, which has a BEGIN line.
  private static final Set<String> KEY_NAMES = Set.of("publickey", "pem");
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/\\s]{40,}+={0,2}+\\s*+");

  private PastedText() {}

  static String normalize(String text) {
    String visible = withoutInvisibleCharacters(text);
    if (visible.isBlank()) {
      return text;
    }
    if (KeyTextKind.isJson(visible)) {
      return visible.contains("\"kty\"") ? text : onlyKeyIn(visible);
    }
    return trimDer(unquote(withHyphens(visible)));
  }

  private static String onlyKeyIn(String json) {
    Map<String, String> pathsByKey = new LinkedHashMap<>();
    for (Entry<String, String> member : JsonTexts.of(json).entrySet()) {
      String key = withHyphens(withoutInvisibleCharacters(member.getValue())).strip();
      if (isKey(member.getKey(), key)) {
        pathsByKey.putIfAbsent(key, member.getKey());
      }
    }
    if (pathsByKey.size() > 1) {
      throw tooMany(List.copyOf(pathsByKey.values()));
    }
    return pathsByKey.isEmpty() ? json : pathsByKey.keySet().iterator().next();
  }

  private static boolean isKey(String path, String value) {
    String name = path.substring(path.lastIndexOf('.') + 1).replace("_", "");
    return value.contains(BEGIN)
        || (KEY_NAMES.contains(name.toLowerCase(Locale.ROOT)) && BASE64.matcher(value).matches());
  }

  // Shows only paths of plain words, because any other name in the JSON may be a part of a key.
  private static KeyFileException tooMany(List<String> paths) {
    String shown =
        paths.stream()
            .filter(path -> path.matches("[A-Za-z0-9_.\\[\\]\"-]{1,60}"))
            .limit(5)
            .collect(Collectors.joining(", "));
    String last = paths.get(paths.size() - 1);
    return new KeyFileException(
        TOO_MANY,
        "the JSON has "
            + paths.size()
            + " keys, and it is not clear which one is meant: "
            + (shown.contains(last)
                ? shown + ". Take one: jq -r '" + last + "' FILE"
                : "take one with jq: jq . FILE"));
  }

  private static String withHyphens(String text) {
    return BOUNDARY
        .matcher(text)
        .replaceAll(
            line ->
                Matcher.quoteReplacement(
                    line.group().chars().allMatch(c -> c < 0x80)
                        ? line.group()
                        : "-----" + line.group(1) + " " + line.group(2) + "-----"));
  }

  static String withoutInvisibleCharacters(String text) {
    return text.codePoints()
        .filter(c -> Character.getType(c) != Character.FORMAT)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /**
   * Returns the text between two quotes: the only PEM block, or the whole of a text that has no
   * block. Any other text is returned unchanged.
   */
  private static String unquote(String text) {
    String stripped = text.strip();
    int blockStart = Math.max(0, stripped.indexOf(BEGIN));
    int open = Math.max(0, blockStart - 1);
    char quote = stripped.charAt(open);
    int close = stripped.indexOf(quote, open + 1);
    boolean isQuoted = (quote == '"' || quote == '\'') && close > 0;
    if (!isQuoted || blockStart != Math.max(0, stripped.lastIndexOf(BEGIN))) {
      return text;
    }
    boolean isOnlyPartlyQuoted = blockStart == 0 && close < stripped.length() - 1;
    String inner = stripped.substring(open + 1, close);
    if (isOnlyPartlyQuoted || (blockStart > 0 && !inner.contains("-----END "))) {
      return text;
    }
    return quote == '"' ? JsonTexts.unescape(inner) : inner;
  }

  /** Drops a line break after the DER structure that the text encodes. */
  private static String trimDer(String text) {
    if (!BASE64.matcher(text).matches() || KeyTextKind.of(text) == KeyTextKind.UNKNOWN) {
      return text;
    }
    byte[] der = Pem.base64(text, 0, text.length());
    long length = der[0] == Der.SEQUENCE ? Der.announcedLength(der) : 0;
    String trailing =
        length > 0 && length < der.length
            ? new String(der, (int) length, (int) (der.length - length), ISO_8859_1)
            : "";
    return trailing.equals("\n") || trailing.equals("\r\n")
        ? Base64.getEncoder().encodeToString(Arrays.copyOf(der, (int) length))
        : text;
  }

  /**
   * The texts in a JSON document (<a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259</a>),
   * each by its path, such as {@code .data.keys["1"].public_key}. The paths are those of the
   * program jq.
   */
  private static final class JsonTexts {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_PATH_LENGTH = 1000;

    private final String json;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private int position;

    private JsonTexts(String json) {
      this.json = json;
    }

    /** Returns the texts in their order; none if the document is malformed or deeply nested. */
    static Map<String, String> of(String json) {
      JsonTexts reader = new JsonTexts(json);
      try {
        reader.readValue("", MAX_DEPTH);
        reader.skipSpaces();
        return reader.position == json.length() ? reader.texts : Map.of();
      } catch (MalformedException | IndexOutOfBoundsException e) {
        return Map.of();
      }
    }

    private void readValue(String path, int remainingDepth) {
      if (remainingDepth == 0 || path.length() > MAX_PATH_LENGTH) {
        throw new MalformedException();
      }
      skipSpaces();
      switch (json.charAt(position)) {
        case '{' -> readMembers(path, remainingDepth, '}');
        case '[' -> readMembers(path, remainingDepth, ']');
        case '"' -> {
          if (texts.put(path.isEmpty() ? "." : path, readText()) != null) {
            // JSON readers disagree on which of two members with the same name to use.
            throw new MalformedException();
          }
        }
        default -> skipWord();
      }
    }

    private void readMembers(String path, int remainingDepth, char end) {
      position++;
      for (int index = 0; !skipIfNext(end); index++) {
        if (index > 0) {
          require(',');
        }
        String step = "[" + index + "]";
        if (end == '}') {
          skipSpaces();
          step = pathStep(readText());
          require(':');
        }
        String memberPath = path.isEmpty() && step.startsWith("[") ? "." + step : path + step;
        readValue(memberPath, remainingDepth - 1);
      }
    }

    private static String pathStep(String name) {
      if (name.matches("[A-Za-z_][A-Za-z0-9_]{0,63}")) {
        return "." + name;
      }
      return "[\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]";
    }

    private String readText() {
      require('"');
      int end = position;
      while (json.charAt(end) != '"') {
        end += json.charAt(end) == '\\' ? 2 : 1;
      }
      String escaped = json.substring(position, end);
      position = end + 1;
      return unescape(escaped);
    }

    /** Resolves the escapes in a JSON string, which is given without its quotes. */
    static String unescape(String escaped) {
      StringBuilder text = new StringBuilder(escaped.length());
      for (int i = 0; i < escaped.length(); i++) {
        char c = escaped.charAt(i);
        if (c == '\\' && i + 1 < escaped.length()) {
          i++;
          switch (escaped.charAt(i)) {
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'b', 'f' -> text.append(' ');
            case 'u' -> i += appendUnicodeEscape(escaped, i + 1, text);
            default -> text.append(escaped.charAt(i));
          }
        } else {
          text.append(c);
        }
      }
      return text.toString();
    }

    // Returns the number of digits that were read: 4, or 0 for a malformed escape, which is kept.
    private static int appendUnicodeEscape(String escaped, int start, StringBuilder text) {
      int end = Math.min(start + 4, escaped.length());
      String digits = escaped.substring(start, end);
      if (!digits.matches("[0-9A-Fa-f]{4}")) {
        text.append("\\u");
        return 0;
      }
      text.append((char) HexFormat.fromHexDigits(digits));
      return 4;
    }

    private void skipWord() {
      int start = position;
      while (position < json.length() && ",]} \t\r\n".indexOf(json.charAt(position)) < 0) {
        position++;
      }
      if (position == start) {
        throw new MalformedException();
      }
    }

    /** Moves past the next token if it is this character, and returns whether it was. */
    private boolean skipIfNext(char c) {
      skipSpaces();
      if (json.charAt(position) == c) {
        position++;
        return true;
      }
      return false;
    }

    private void require(char c) {
      if (!skipIfNext(c)) {
        throw new MalformedException();
      }
    }

    private void skipSpaces() {
      while (position < json.length() && " \t\r\n".indexOf(json.charAt(position)) >= 0) {
        position++;
      }
    }

    private static final class MalformedException extends RuntimeException {
      private static final long serialVersionUID = 1L;
    }
  }
}
