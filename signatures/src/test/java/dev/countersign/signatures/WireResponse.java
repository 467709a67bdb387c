package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.WireRequest.Line;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A response as on the wire, read from text; a chunked body has its trailers. Every change makes a
 * copy. Like {@link WireRequest}, it checks nothing.
 */
record WireResponse(
    int status,
    List<Line> lines,
    String bodyText,
    List<Line> trailers,
    Optional<RequestMessage> request)
    implements ResponseMessage {

  static WireResponse parse(String text) {
    String[] parts = text.split("\n\n", 2);
    String[] head = parts[0].split("\n", 2);
    int status = Integer.parseInt(head[0].split(" ")[1]);
    List<Line> lines = Line.section(head[1]);
    String body = parts.length > 1 ? parts[1] : "";
    return Line.values(lines, "transfer-encoding").equals(List.of("chunked"))
        ? chunked(status, lines, body)
        : new WireResponse(status, lines, body, List.of(), Optional.empty());
  }

  /** RFC 9112 section 7.1, with line feeds only, as in text. */
  private static WireResponse chunked(int status, List<Line> lines, String text) {
    StringBuilder body = new StringBuilder();
    int at = 0;
    while (true) {
      int dataStart = text.indexOf('\n', at) + 1;
      int size = Integer.parseInt(text.substring(at, dataStart - 1), 16);
      if (size == 0) {
        List<Line> trailers = Line.section(text.substring(dataStart));
        return new WireResponse(status, lines, body.toString(), trailers, Optional.empty());
      }
      body.append(text, dataStart, dataStart + size);
      at = dataStart + size + 1;
    }
  }

  /** Returns this response to a request. */
  WireResponse answering(RequestMessage other) {
    return new WireResponse(status, lines, bodyText, trailers, Optional.of(other));
  }

  WireResponse withStatus(int other) {
    return new WireResponse(other, lines, bodyText, trailers, request);
  }

  WireResponse withBody(String other) {
    return new WireResponse(status, lines, other, trailers, request);
  }

  /** Adds a line at the end. */
  WireResponse plus(String name, String value) {
    Stream<Line> more = Stream.concat(lines.stream(), Stream.of(new Line(name, value)));
    return new WireResponse(status, more.toList(), bodyText, trailers, request);
  }

  WireResponse without(String name) {
    List<Line> fewer = lines.stream().filter(line -> !line.isNamed(name)).toList();
    return new WireResponse(status, fewer, bodyText, trailers, request);
  }

  WireResponse with(String name, String value) {
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
  public List<String> trailerLines(String lowerCaseName) {
    return Line.values(trailers, lowerCaseName);
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
