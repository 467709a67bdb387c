package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A message made from any text: a first line, fields up to the first empty line, and a body. Every
 * text is a message; the target decides whether it is a request or a response.
 */
record FuzzedMessage(String firstLine, List<String> lines, String bodyText) {

  static FuzzedMessage parse(String text) {
    String[] headAndBody = text.split("\n\n", 2);
    List<String> head = headAndBody[0].lines().toList();
    return new FuzzedMessage(
        head.isEmpty() ? "" : head.get(0),
        head.stream().skip(1).toList(),
        headAndBody.length == 1 ? "" : headAndBody[1]);
  }

  byte[] body() {
    return bodyText.getBytes(ISO_8859_1);
  }

  List<String> fieldLines(String lowerCaseName) {
    int colon = lowerCaseName.length();
    return lines.stream()
        .filter(line -> line.indexOf(':') == colon)
        .filter(line -> line.regionMatches(true, 0, lowerCaseName, 0, colon))
        .map(line -> line.substring(colon + 1))
        .toList();
  }

  /**
   * Computes the value of a field by the rules of RFC 9421 section 2.1, independently of the
   * library.
   */
  String value(String lowerCaseName) {
    return fieldLines(lowerCaseName).stream()
        .map(line -> line.replaceAll("^[ \t]+|[ \t]+$", ""))
        .collect(Collectors.joining(", "));
  }

  BodyFraming bodyFraming() {
    if (!fieldLines("transfer-encoding").isEmpty()) {
      return BodyFraming.UNKNOWN;
    }
    return bodyText.isEmpty() ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
