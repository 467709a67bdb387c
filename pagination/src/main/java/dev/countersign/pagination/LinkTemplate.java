package dev.countersign.pagination;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The URI of a list, split where the value of the parameter that chooses the page is inserted. */
record LinkTemplate(String before, String after) {
  private static final Set<String> COUNTERS =
      Set.of(PageQuery.PAGE, PageQuery.OFFSET, PageQuery.AFTER);

  /**
   * Splits a URI.
   *
   * @param counter the parameter that chooses the page
   */
  static LinkTemplate of(String targetUri, String counter) {
    if (targetUri.indexOf("://") < 1) {
      throw new IllegalArgumentException(
          "targetUri must be absolute, was " + Printable.of(targetUri));
    }
    String uri = encodeIllegal(targetUri);
    int mark = uri.indexOf('?');
    String path = mark < 0 ? uri : uri.substring(0, mark);
    String query = mark < 0 ? "" : uri.substring(mark + 1);
    return split(path, query, counter);
  }

  private static LinkTemplate split(String path, String query, String counter) {
    StringBuilder before = new StringBuilder(path).append('?');
    StringBuilder after = new StringBuilder();
    boolean counterPassed = false;
    for (QueryParameter parameter : QueryParameter.split(query)) {
      String name = parameter.name();
      // A link chooses another page, so the parameters that chose this one are dropped.
      boolean isCounter = name != null && COUNTERS.contains(name);
      counterPassed |= counter.equals(name);
      if (!isCounter && counterPassed) {
        after.append('&').append(parameter.raw());
      } else if (!isCounter) {
        before.append(parameter.raw()).append('&');
      }
    }
    return new LinkTemplate(before.append(counter).append('=').toString(), after.toString());
  }

  String link(Object value) {
    return before + value + after;
  }

  // RFC 3986, appendix A: reserved characters, unreserved characters and "%" are legal. Brackets
  // are legal, because IPv6 hosts use them. "#" is not, because it would begin a fragment, and a
  // request has no fragment.
  private static boolean isLegal(char c) {
    return c > ' ' && c < 0x7F && "\"#<>\\^`{|}".indexOf(c) < 0;
  }

  private static String encodeIllegal(String uri) {
    if (uri.chars().allMatch(c -> isLegal((char) c))) {
      return uri;
    }
    StringBuilder encoded = new StringBuilder();
    for (byte octet : uri.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (octet & 0xFF);
      if (isLegal(c)) {
        encoded.append(c);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return encoded.toString();
  }
}
