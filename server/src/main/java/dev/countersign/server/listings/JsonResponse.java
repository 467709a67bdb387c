package dev.countersign.server.listings;

import dev.countersign.server.access.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** An answer in JSON of known length, without its body for HEAD (RFC 9110 section 9.3.2). */
final class JsonResponse {
  private final int status;
  private final ByteArrayOutputStream body;
  private final Map<String, String> headers = new LinkedHashMap<>();

  private JsonResponse(int status, ByteArrayOutputStream body) {
    this.status = status;
    this.body = body;
  }

  static JsonResponse ok(ByteArrayOutputStream body) {
    return new JsonResponse(200, body);
  }

  static JsonResponse of(Answer answer) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(answer.body().getBytes(StandardCharsets.UTF_8));
    return new JsonResponse(answer.status(), body).with(answer.headers());
  }

  JsonResponse with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  JsonResponse with(Map<String, String> more) {
    headers.putAll(more);
    return this;
  }

  ServerResponse build() {
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
