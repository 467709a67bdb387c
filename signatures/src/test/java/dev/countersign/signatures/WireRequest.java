package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.base.RequestMessage;
import java.util.List;
import java.util.stream.Stream;

/**
 * A request as on the wire, read from text; every change makes a copy. It checks nothing, because
 * tests need requests that no HTTP library would send.
 */
record WireRequest(String method, String targetUri, List<Line> lines, String bodyText)
    implements RequestMessage {

  /** One line of the header section; the value begins after the colon and a space. */
  record Line(String name, String value) {
    boolean isNamed(String other) {
      return name.equalsIgnoreCase(other);
    }

    /** Reads header or trailer lines; one that begins with a space continues the line before. */
    static List<Line> section(String text) {
      return Stream.of(text.split("\n(?! )"))
          .filter(line -> !line.isBlank())
          .map(line -> line.split(": ?", 2))
          .map(line -> new Line(line[0], line[1]))
          .toList();
    }

    static List<String> values(List<Line> lines, String name) {
      return lines.stream().filter(line -> line.isNamed(name)).map(Line::value).toList();
    }
  }

  /** A list request without a body, not yet signed. */
  static final WireRequest GET =
      parse(
          """
          GET /ledger/v1/wallets?page=0&sort=currencyCode,asc HTTP/1.1
          Host: api.example.com
          Accept: application/json
          Date: Tue, 05 Mar 2024 07:08:09 GMT

          """);

  /** A request with a body and its digest, not yet signed. */
  static final WireRequest POST =
      parse(
          """
          POST /ledger/v1/wallets HTTP/1.1
          Host: api.example.com
          Content-Type: application/json
          Content-Length: 18
          Content-Digest: sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
          Date: Tue, 05 Mar 2024 07:08:09 GMT

          {"hello": "world"}\
          """);

  static WireRequest parse(String text) {
    String[] parts = text.split("\n\n", 2);
    String[] head = parts[0].split("\n", 2);
    String[] requestLine = head[0].split(" ");
    List<Line> lines = Line.section(head.length > 1 ? head[1] : "");
    String body = parts.length > 1 ? parts[1] : "";
    return new WireRequest(requestLine[0], targetUri(requestLine[1], lines), lines, body);
  }

  /** RFC 9110 section 7.1, for a request received over TLS. */
  private static String targetUri(String requestTarget, List<Line> lines) {
    return requestTarget.contains("://")
        ? requestTarget
        : "https://" + Line.values(lines, "host").get(0) + requestTarget;
  }

  WireRequest withMethod(String other) {
    return new WireRequest(other, targetUri, lines, bodyText);
  }

  WireRequest withTargetUri(String other) {
    return new WireRequest(method, other, lines, bodyText);
  }

  WireRequest withBody(String other) {
    return new WireRequest(method, targetUri, lines, other);
  }

  /** Adds a line at the end. */
  WireRequest plus(String name, String value) {
    Stream<Line> more = Stream.concat(lines.stream(), Stream.of(new Line(name, value)));
    return new WireRequest(method, targetUri, more.toList(), bodyText);
  }

  WireRequest without(String name) {
    return new WireRequest(
        method, targetUri, lines.stream().filter(l -> !l.isNamed(name)).toList(), bodyText);
  }

  WireRequest with(String name, String value) {
    return without(name).plus(name, value);
  }

  String value(String name) {
    return fieldLines(name).get(0);
  }

  byte[] body() {
    return bodyText.getBytes(UTF_8);
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return Line.values(lines, lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    if (!fieldLines("transfer-encoding").isEmpty()) {
      return BodyFraming.UNKNOWN;
    }
    boolean present = fieldLines("content-length").stream().anyMatch(length -> !length.equals("0"));
    return present ? BodyFraming.PRESENT : BodyFraming.NONE;
  }
}
