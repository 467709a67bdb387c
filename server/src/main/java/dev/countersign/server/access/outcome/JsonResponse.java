package dev.countersign.server.access.outcome;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** A JSON answer with a known length. For HEAD, the body is omitted (RFC 9110 section 9.3.2). */
public final class JsonResponse {
  private final int status;
  private final ByteArrayOutputStream body;
  private final Map<String, String> headers = new LinkedHashMap<>();

  private JsonResponse(int status, ByteArrayOutputStream body) {
    this.status = status;
    this.body = body;
  }

  /** Creates a 200 answer. */
  public static JsonResponse ok(ByteArrayOutputStream body) {
    return new JsonResponse(200, body);
  }

  /** Creates the response for an answer, new or stored. */
  public static JsonResponse of(StoredAnswer.Done answer) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(answer.body().getBytes(StandardCharsets.UTF_8));
    return new JsonResponse(answer.status(), body).with(answer.headers());
  }

  /** Adds header fields, and returns this response. */
  public JsonResponse with(Map<String, String> more) {
    headers.putAll(more);
    return this;
  }

  /** Returns the response for Spring. */
  public ServerResponse build() {
    return ServerResponse.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .contentLength(body.size())
        .headers(fields -> headers.forEach(fields::set))
        .build(
            (request, response) -> {
              if (!HttpMethod.HEAD.matches(request.getMethod())) {
                body.writeTo(response.getOutputStream());
              }
              return null;
            });
  }
}
