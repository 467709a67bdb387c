package dev.countersign.signatures.diagnosis;

import java.util.Arrays;
import java.util.List;

/**
 * One line of a signature base, such as {@code "@method": GET} (RFC 9421 section 2.5).
 *
 * @param text the whole line
 * @param identifier the component as written, with its quotes and parameters; empty if the line is
 *     not well-formed
 * @param value the text after the colon and the space; empty if the line is not well-formed
 */
record BaseLine(String text, String identifier, String value) {
  static final String SIGNATURE_PARAMS = "\"@signature-params\"";

  static List<BaseLine> linesOf(String text) {
    return Arrays.stream(text.split("\n", -1)).map(BaseLine::parse).toList();
  }

  static BaseLine parse(String text) {
    int colon = text.startsWith("\"") ? Unquoted.indexOf(':', text, 0) : -1;
    return colon > 2 && text.startsWith(": ", colon)
        ? new BaseLine(text, text.substring(0, colon), text.substring(colon + 2))
        : new BaseLine(text, "", "");
  }

  boolean isWellFormed() {
    return !identifier.isEmpty();
  }

  boolean isSignatureParams() {
    return identifier.equals(SIGNATURE_PARAMS);
  }

  /** The component's name, without quotes and parameters. */
  String name() {
    int end = identifier.indexOf('"', 1);
    return end < 0 ? "" : identifier.substring(1, end);
  }

  /** Returns whether the line continues the line before it, as in a folded field. */
  boolean isContinuation() {
    return !isWellFormed() && (text.startsWith(" ") || text.startsWith("\t"));
  }
}
