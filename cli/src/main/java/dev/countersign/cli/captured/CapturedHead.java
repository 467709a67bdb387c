package dev.countersign.cli.captured;

import dev.countersign.protocol.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The request line and the header section of a request (RFC 9112 sections 3 and 5).
 *
 * @param method the method as sent, such as {@code GET}
 * @param target the request target, in origin form or absolute form
 */
record CapturedHead(String method, String target, List<CapturedField> headers) {
  // RFC 9110 section 5.6.2: a token.
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final Pattern REQUEST_LINE =
      Pattern.compile("(" + TOKEN + ") (\\S+) HTTP/(1\\.[01]|2(\\.0)?|3)");
  private static final Pattern NAME = Pattern.compile(TOKEN);
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f]");

  static CapturedHead read(CapturedBytes file) {
    String line = file.nextLine("a request must begin with a line such as GET /path HTTP/1.1");
    Matcher parts = REQUEST_LINE.matcher(line);
    if (!parts.matches()) {
      throw file.malformed(requestLineAdvice(line));
    }
    String target = parts.group(2);
    if (!target.startsWith("/") && !target.matches("(?i)https?://.+")) {
      throw file.malformed(
          "the request target must begin with / or be an absolute URL, was "
              + PlainText.quoted(target));
    }
    List<CapturedField> headers = new ArrayList<>();
    readFields(file, headers);
    return new CapturedHead(parts.group(1), target, List.copyOf(headers));
  }

  private static String requestLineAdvice(String line) {
    if (line.startsWith("> ")) {
      return "the line begins with \"> \" as curl -v prints it; remove that from every line";
    }
    if (line.startsWith("HTTP/")) {
      return "this is a response; give a request, which begins with GET /path HTTP/1.1";
    }
    return "the request line must be METHOD TARGET HTTP/1.1, separated by single spaces, was "
        + PlainText.quoted(line);
  }

  /** Reads fields up to the next empty line. */
  static void readFields(CapturedBytes file, List<CapturedField> fields) {
    String rule = "the headers must end with an empty line; add it";
    for (String line = file.nextLine(rule); !line.isEmpty(); line = file.nextLine(rule)) {
      fields.add(field(file, line));
    }
  }

  private static CapturedField field(CapturedBytes file, String line) {
    // RFC 9112 section 5.2: a sender must not fold a field.
    if (line.startsWith(" ") || line.startsWith("\t")) {
      throw file.malformed("the line begins with white space; write a header on one line");
    }
    int colon = line.indexOf(':');
    String name = line.substring(0, Math.max(colon, 0));
    if (!NAME.matcher(name).matches() || CONTROL.matcher(line).find()) {
      throw file.malformed(
          "a header must be Name: value without control characters, was " + PlainText.quoted(line));
    }
    // Of the characters that strip() removes, only tabs and blanks can occur here.
    return new CapturedField(name, line.substring(colon + 1).strip());
  }
}
