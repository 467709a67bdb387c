package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Reason;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** The only media type of request bodies: {@code application/json} in UTF-8. */
public final class JsonMediaType {
  private JsonMediaType() {}

  /**
   * Refuses every Content-Type except this media type. The header is not signed, and nothing else
   * uses it.
   *
   * @throws DeniedException {@link Reason#MEDIA_TYPE_UNSUPPORTED}
   */
  public static void require(@Nullable String contentType) {
    if (contentType == null || !isJson(contentType)) {
      throw new DeniedException(
          Reason.MEDIA_TYPE_UNSUPPORTED, "Content-Type must be application/json in UTF-8");
    }
  }

  private static boolean isJson(String contentType) {
    try {
      MimeType type = MimeTypeUtils.parseMimeType(contentType);
      Charset charset = type.getCharset();
      return type.equalsTypeAndSubtype(MimeTypeUtils.APPLICATION_JSON)
          && (charset == null || charset.equals(StandardCharsets.UTF_8));
    } catch (InvalidMimeTypeException e) {
      return false;
    }
  }
}
