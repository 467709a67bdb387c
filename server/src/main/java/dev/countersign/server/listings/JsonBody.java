package dev.countersign.server.listings;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON answer, written to memory before its first byte is sent. So its length is known, and a
 * failure while writing it still becomes an error response.
 */
final class JsonBody {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int USUAL_SIZE = 4096;

  private JsonBody() {}

  static ByteArrayOutputStream write(Consumer<JsonGenerator> content) {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(USUAL_SIZE);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), buffer)) {
      content.accept(json);
    }
    return buffer;
  }

  static String writeText(Consumer<JsonGenerator> content) {
    return write(content).toString(StandardCharsets.UTF_8);
  }
}
