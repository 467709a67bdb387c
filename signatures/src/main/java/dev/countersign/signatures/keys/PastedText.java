package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Base64;
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
 * management services, into text that the strict readers accept. A text that could mean several
 * keys is refused; one that means none is returned as it is, and the readers explain why they
 * refuse it.
 *
 * <ul>
 *   <li>Invisible characters (category Cf) are dropped, and dashes (category Pd) in BEGIN and END
 *       lines become hyphens.
 *   <li>Quotes around a key are removed; within double quotes, escapes are resolved.
 *   <li>From JSON that is not a JWK, the only key is taken. A JWK is not changed.
 *   <li>A line break after the key in DER is dropped.
 * </ul>
 */
final class PastedText {
  private static final String BEGIN = "-----BEGIN ";
  private static final Pattern HEADER =
      Pattern.compile("\\p{Pd}{1,9} ?(BEGIN|END) ([A-Z0-9][A-Z0-9 ]{0,38}[A-Z0-9]) ?\\p{Pd}{1,9}");
  // AWS KMS: PublicKey. Vault: public_key. Google Cloud KMS: pem, which has a BEGIN line.
  private static final Set<String> KEY_NAMES = Set.of("publickey", "pem");
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/\\s]{40,}={0,2}\\s*");

  private PastedText() {}

  static String of(String text) {
    String visible = withoutInvisible(text);
    if (KeyTextKind.isJson(visible)) {
      return visible.contains("\"kty\"") ? text : ofJson(visible);
    }
    return trimmedDer(unquoted(withHyphens(visible)));
  }

  private static String ofJson(String json) {
    Map<String, String> pathsByKey = new LinkedHashMap<>();
    for (Entry<String, String> member : JsonTexts.of(json).entrySet()) {
      String key = withHyphens(withoutInvisible(member.getValue())).strip();
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

  // A path is shown only if its names are plain words: a name may be anything, also a part of a
  // key.
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
    return HEADER
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group().chars().allMatch(c -> c < 0x80)
                        ? found.group()
                        : "-----" + found.group(1) + " " + found.group(2) + "-----"));
  }

  static String withoutInvisible(String text) {
    return text.codePoints()
        .filter(c -> Character.getType(c) != Character.FORMAT)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Returns what stands between quotes, if the only block, or a text without blocks, does. */
  private static String unquoted(String text) {
    String stripped = text.strip();
    int begin = Math.max(0, stripped.indexOf(BEGIN));
    int open = Math.max(0, begin - 1);
    char quote = stripped.charAt(open);
    int close = stripped.indexOf(quote, open + 1);
    boolean isQuoted = (quote == '"' || quote == '\'') && close > 0;
    if (!isQuoted || begin != Math.max(0, stripped.lastIndexOf(BEGIN))) {
      return text;
    }
    boolean isWhole = begin == 0 && close < stripped.length() - 1;
    String inner = stripped.substring(open + 1, close);
    if (isWhole || (begin > 0 && !inner.contains("-----END "))) {
      return text;
    }
    return quote == '"' ? JsonTexts.unescaped(inner) : inner;
  }

  private static String trimmedDer(String text) {
    if (!BASE64.matcher(text).matches()) {
      return text;
    }
    byte[] der = Pem.base64(text, 0, text.length());
    long length = der[0] == Der.SEQUENCE ? Der.announcedLength(der) : 0;
    String behind =
        length > 0 && length < der.length
            ? new String(der, (int) length, (int) (der.length - length), ISO_8859_1)
            : "";
    return behind.equals("\n") || behind.equals("\r\n")
        ? Base64.getEncoder().encodeToString(Arrays.copyOf(der, (int) length))
        : text;
  }
}
