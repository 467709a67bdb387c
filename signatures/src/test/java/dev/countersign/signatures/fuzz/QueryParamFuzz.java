package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The value of a query parameter, compared to RFC 9421 section 2.2.8 implemented with the JDK's
 * encoder. The first line of the input is the name, the second the query.
 */
public final class QueryParamFuzz {
  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  private QueryParamFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String[] lines = new String(input, ISO_8859_1).split("\n", 2);
    // A URI has no spaces (RFC 3986 section 2).
    if (lines.length < 2
        || !isPrintable(lines[0])
        || !isPrintable(lines[1])
        || lines[1].contains(" ")) {
      return;
    }
    String query = lines[1].split("#", 2)[0];
    FuzzFinding.unlessEqual(value(lines[0], query), expected(lines[0], query));
  }

  private static boolean isPrintable(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static Optional<String> value(String name, String query) {
    ComponentIdentifier component = ComponentIdentifier.queryParam(name);
    SignatureInput input = SignatureInput.parse("(" + component.serialize() + ")");
    try {
      String base =
          SignatureBase.of(
                  input,
                  FuzzedRequest.parse("GET https://a.example/?" + query),
                  StructuredFieldRegistry.registered())
              .text();
      return Optional.of(base.lines().findFirst().orElseThrow())
          .map(line -> line.substring(component.serialize().length() + 2));
    } catch (VerificationException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> expected(String name, String query) {
    List<String[]> named =
        Stream.of(query.split("&"))
            .filter(pair -> !pair.isEmpty())
            .map(pair -> pair.split("=", 2))
            .filter(pair -> canonical(pair[0]).equals(Optional.of(name)))
            .toList();
    if (named.size() != 1) {
      return Optional.empty();
    }
    String[] pair = named.get(0);
    return canonical(pair.length == 1 ? "" : pair[1]);
  }

  /** Empty if the text is not UTF-8. */
  private static Optional<String> canonical(String text) {
    String octets =
        ESCAPE
            .matcher(text.replace('+', ' '))
            .replaceAll(
                escape -> {
                  char octet = (char) Integer.parseInt(escape.group(1), 16);
                  return octet == '\\' || octet == '$' ? "\\" + octet : String.valueOf(octet);
                });
    String decoded = new String(octets.getBytes(ISO_8859_1), UTF_8);
    boolean utf8 = new String(decoded.getBytes(UTF_8), ISO_8859_1).equals(octets);
    return utf8
        ? Optional.of(URLEncoder.encode(decoded, UTF_8).replace("+", "%20"))
        : Optional.empty();
  }
}
