package dev.countersign.signatures.httpclient;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Locale.ROOT;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.contract.Leeway;
import dev.countersign.signatures.contract.RefusedException;
import dev.countersign.signatures.contract.RequestMessageContract;
import dev.countersign.signatures.contract.WireExchange;
import dev.countersign.signatures.contract.WireMessage;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;

/** The adapter presents a request in advance exactly as HttpClient writes it to a socket. */
class HttpClientRequestTest extends RequestMessageContract {

  @Override
  protected WireExchange<RequestMessage> exchange(WireMessage wanted) throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request = request(server, wanted);
      RequestMessage message = HttpClientRequest.of(request);
      lookAtAll(message, wanted);
      HttpClients.PLAIN.send(request, BodyHandlers.discarding());
      return new WireExchange<>(server.request(), message);
    }
  }

  /** The adapter refuses a part when it is read, which is before it is sent. */
  private static void lookAtAll(RequestMessage message, WireMessage wanted)
      throws RefusedException {
    try {
      message.targetUri();
      wanted.fields().forEach(field -> message.fieldLines(field.name().toLowerCase(ROOT)));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(e);
    }
  }

  private static HttpRequest request(RawServer server, WireMessage wanted) throws RefusedException {
    if (!wanted.trailers().isEmpty()) {
      throw new RefusedException("HttpClient has no way to send trailers");
    }
    String[] line = wanted.startLine().split(" ");
    WireMessage set = wanted.without("Content-Length").without("Transfer-Encoding");
    try {
      HttpRequest.Builder builder = HttpClients.request(server.url() + line[1]);
      set.fields().forEach(field -> builder.header(field.name(), field.value()));
      return body(builder, line[0], wanted).build();
    } catch (IllegalArgumentException e) {
      throw new RefusedException(e);
    }
  }

  private static HttpRequest.Builder body(
      HttpRequest.Builder builder, String method, WireMessage wanted) {
    byte[] content = wanted.content().getBytes(ISO_8859_1);
    if (wanted.fields().size() == 0 && method.equals("GET")) {
      return builder.GET();
    }
    BodyPublisher publisher =
        wanted.isChunked()
            ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content))
            : BodyPublishers.ofByteArray(content);
    return builder.method(method, publisher);
  }

  @Override
  protected Set<Leeway> leeways() {
    return Set.of(
        Leeway.OBS_TEXT,
        Leeway.OBS_FOLD,
        Leeway.ABSOLUTE_FORM,
        Leeway.ASTERISK_FORM,
        Leeway.TRAILERS);
  }

  @Override
  protected Set<String> refusedNames() {
    return Set.of("@method", "@target-uri", "@authority", "@path", ":method", ":path");
  }

  @Override
  protected Set<String> refusedTargets() {
    // Over HTTP/1.1 the client sends the first two without the question mark; the rest is not a
    // URI.
    return Set.of("/?", "/a?", "/a?b={1}", "/a?b=%");
  }
}
