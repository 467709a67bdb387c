package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.RequestMessage;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request made of any text: method and URI in the first line, fields to the first empty line, a
 * body behind it.
 */
record FuzzedMessage(String method, String targetUri, List<String> lines, String bodyText)
    implements RequestMessage {

  static FuzzedMessage parse(String text) {
    String[] headAndBody = text.split("\n\n", 2);
    List<String> head = headAndBody[0].lines().toList();
    String[] start = (head.isEmpty() ? "" : head.get(0)).split(" ", 2);
    return new FuzzedMessage(
        start[0],
        start.length == 1 ? "" : start[1],
        head.stream().skip(1).toList(),
        headAndBody.length == 1 ? "" : headAndBody[1]);
  }

  byte[] body() {
    return bodyText.getBytes(ISO_8859_1);
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    int colon = lowerCaseName.length();
    return lines.stream()
        .filter(line -> line.indexOf(':') == colon)
        .filter(line -> line.regionMatches(true, 0, lowerCaseName, 0, colon))
        .map(line -> line.substring(colon + 1))
        .toList();
  }

  /** The one value of a field by the rules of RFC 9421 section 2.1, written down once more. */
  String value(String lowerCaseName) {
    return fieldLines(lowerCaseName).stream()
        .map(line -> line.replaceAll("^[ \t]+|[ \t]+$", ""))
        .collect(Collectors.joining(", "));
  }

  @Override
  public BodyFraming bodyFraming() {
    if (!fieldLines("transfer-encoding").isEmpty()) {
      return BodyFraming.UNKNOWN;
    }
    return bodyText.isEmpty() ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
