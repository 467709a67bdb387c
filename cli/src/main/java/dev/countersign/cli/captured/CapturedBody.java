package dev.countersign.cli.captured;

import dev.countersign.protocol.PlainText;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The body of a captured request. Content-Length or the chunks give its length; without them, the
 * body is the rest of the file (RFC 9112 section 6.3).
 */
final class CapturedBody {
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");
  private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9A-Fa-f]{1,7})[ \t]*(;.*)?");

  private final byte[] bytes;
  private final BodyFraming framing;
  private final List<CapturedField> trailers;

  private CapturedBody(byte[] bytes, BodyFraming framing, List<CapturedField> trailers) {
    this.bytes = bytes;
    this.framing = framing;
    this.trailers = trailers;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  BodyFraming framing() {
    return framing;
  }

  List<CapturedField> trailers() {
    return trailers;
  }

  static CapturedBody read(CapturedBytes file, List<CapturedField> headers) {
    List<String> lengths = values(headers, "content-length");
    List<String> codings = values(headers, "transfer-encoding");
    // RFC 9112 section 6.1: a sender must not send both fields.
    if (!codings.isEmpty() && !lengths.isEmpty()) {
      throw file.malformed(
          "Transfer-Encoding and Content-Length exclude each other; leave out one");
    }
    if (!codings.isEmpty()) {
      return readChunked(file, String.join(", ", codings));
    }
    return lengths.isEmpty() ? readRest(file) : readByLength(file, lengths);
  }

  private static List<String> values(List<CapturedField> headers, String name) {
    return headers.stream().filter(field -> field.isNamed(name)).map(CapturedField::value).toList();
  }

  private static CapturedBody of(byte[] bytes) {
    return new CapturedBody(
        bytes, bytes.length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT, List.of());
  }

  private static CapturedBody readRest(CapturedBytes file) {
    return of(file.onlyLineBreaksRemain() ? new byte[0] : file.nextBytes(file.remaining()));
  }

  private static CapturedBody readByLength(CapturedBytes file, List<String> lengths) {
    String value = lengths.get(0);
    if (lengths.size() > 1 || !LENGTH.matcher(value).matches()) {
      throw file.malformed(
          "Content-Length must be one number of bytes, was " + String.join(" and ", lengths));
    }
    int length = Integer.parseInt(value);
    if (length > file.remaining()) {
      throw file.malformed(
          "Content-Length is "
              + length
              + ", but "
              + file.remaining()
              + " bytes follow; capture the whole body, or correct the length");
    }
    CapturedBody body = of(file.nextBytes(length));
    requireEnd(file, "Content-Length is " + length);
    return body;
  }

  private static void requireEnd(CapturedBytes file, String messageStart) {
    if (!file.onlyLineBreaksRemain()) {
      throw file.malformed(
          messageStart
              + ", but "
              + file.remaining()
              + " more bytes follow; the file must contain one request, unchanged");
    }
  }

  private static CapturedBody readChunked(CapturedBytes file, String coding) {
    if (!coding.equalsIgnoreCase("chunked")) {
      throw file.malformed("Transfer-Encoding must be chunked, was " + PlainText.quoted(coding));
    }
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int size = chunkSize(file); size > 0; size = chunkSize(file)) {
      if (size > file.remaining()) {
        throw file.malformed(
            "a chunk has " + size + " bytes, but only " + file.remaining() + " bytes follow");
      }
      content.writeBytes(file.nextBytes(size));
      if (!file.nextLine("a chunk must end with a line break").isEmpty()) {
        throw file.malformed("a chunk is longer than its stated size; capture the bytes unchanged");
      }
    }
    List<CapturedField> trailers = new ArrayList<>();
    CapturedHead.readFields(file, trailers);
    requireEnd(file, "the last chunk was read");
    // The framing is what the headers reveal about the body. If the body is chunked, the headers do
    // not reveal whether it is empty.
    return new CapturedBody(content.toByteArray(), BodyFraming.UNKNOWN, List.copyOf(trailers));
  }

  private static int chunkSize(CapturedBytes file) {
    String line = file.nextLine("a chunked body must end with a chunk of size 0");
    var matcher = CHUNK_SIZE.matcher(line);
    if (!matcher.matches()) {
      throw file.malformed(
          "a chunk must begin with its size in hexadecimal, was "
              + PlainText.quoted(line)
              + "; if the tool shows the body without the sizes of the chunks, remove"
              + " Transfer-Encoding");
    }
    return Integer.parseInt(matcher.group(1), 16);
  }
}
