package dev.countersign.cli.captured;

import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PlainText;
import dev.countersign.signatures.base.RequestMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One HTTP/1.1 request from a file, presented as it was on the wire (RFC 9112 section 2.1).
 *
 * <p>The reader is strict, because a signature covers bytes: if a tool changed the request while
 * recording it, the reader refuses the request and names the line and the fix. Lines may end with
 * LF or CR LF. Line breaks that editors add at the end of the file are ignored.
 */
public final class CapturedRequest implements RequestMessage {
  // The maximum size of a file, in bytes.
  private static final int LIMIT = 16 * 1024 * 1024;
  // A host and an optional port (RFC 3986 section 3.2). RFC 9110 section 4.2.4: a sender must not
  // put user information before the host.
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._~%!$&'()*+,;=-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]*)?");

  private final CapturedHead head;
  private final CapturedBody body;
  private final String targetUri;

  private CapturedRequest(CapturedHead head, CapturedBody body, String targetUri) {
    this.head = head;
    this.body = body;
    this.targetUri = targetUri;
  }

  /**
   * Reads a file of at most 16 MiB.
   *
   * @param scheme the scheme of the URL that was called; if empty, http for this machine and https
   *     for any other host
   * @throws CaptureException when the file is not one request
   */
  public static CapturedRequest readFile(Path file, Optional<Scheme> scheme) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, scheme);
    } catch (IOException unreadable) {
      throw new CaptureException(FileFailure.text(unreadable));
    }
  }

  /** Reads a request from a stream up to its end, like {@link #readFile}. */
  public static CapturedRequest read(InputStream in, Optional<Scheme> scheme) {
    try {
      byte[] bytes = in.readNBytes(LIMIT + 1);
      if (bytes.length > LIMIT) {
        throw new CaptureException("the request is larger than the limit of 16 MiB");
      }
      return read(bytes, scheme);
    } catch (IOException unreadable) {
      throw new CaptureException(FileFailure.text(unreadable));
    }
  }

  /** Reads a request from memory, like {@link #readFile}. */
  public static CapturedRequest read(byte[] bytes, Optional<Scheme> scheme) {
    CapturedBytes file = new CapturedBytes(bytes);
    CapturedHead head = CapturedHead.read(file);
    String targetUri = targetUri(file, head, scheme);
    return new CapturedRequest(head, CapturedBody.read(file, head.headers()), targetUri);
  }

  private static String targetUri(CapturedBytes file, CapturedHead head, Optional<Scheme> scheme) {
    List<String> hosts = lines(head.headers(), "host");
    if (hosts.size() > 1) {
      throw file.malformed("Host occurs " + hosts.size() + " times; RFC 9112 allows one");
    }
    // RFC 9112 section 3.2.2: the absolute form takes precedence, and Host is ignored.
    if (!head.target().startsWith("/")) {
      return head.target();
    }
    if (hosts.isEmpty() || !AUTHORITY.matcher(hosts.get(0)).matches()) {
      throw file.malformed(
          "the Host header must be host or host:port, was "
              + (hosts.isEmpty() ? "missing" : PlainText.quoted(hosts.get(0)))
              + "; without it, the signed URL is unknown"
              + hosts.stream()
                  .findFirst()
                  .flatMap(HostName::problem)
                  .map(problem -> "; a service refuses it too: " + problem)
                  .orElse(""));
    }
    String host = hosts.get(0);
    return scheme.orElseGet(() -> Scheme.likelyFor(host)) + "://" + host + head.target();
  }

  private static List<String> lines(List<CapturedField> fields, String lowerCaseName) {
    return fields.stream()
        .filter(field -> field.isNamed(lowerCaseName))
        .map(CapturedField::value)
        .toList();
  }

  /** Returns the host that the caller addressed, with its port if it was sent. */
  public String host() {
    return targetUri.split("://", 2)[1].split("[/?#]", 2)[0];
  }

  @Override
  public String method() {
    return head.method();
  }

  @Override
  public String targetUri() {
    return targetUri;
  }

  @Override
  public String requestTarget() {
    return head.target();
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return lines(head.headers(), lowerCaseName);
  }

  @Override
  public List<String> trailerLines(String lowerCaseName) {
    return lines(body.trailers(), lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    return body.framing();
  }

  /** Returns a copy of the body, with chunks joined; empty if there is none. */
  public byte[] body() {
    return body.bytes();
  }
}
