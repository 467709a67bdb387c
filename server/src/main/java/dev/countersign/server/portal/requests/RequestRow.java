package dev.countersign.server.portal.requests;

import dev.countersign.server.requests.RequestRecord;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table, as text.
 *
 * @param clientName the client's name; null if the request names no client or a removed client
 */
record RequestRow(RequestRecord request, @Nullable String clientName) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  static String inWords(Instant time) {
    return TIME.format(time);
  }

  public long id() {
    return request.id();
  }

  public Instant time() {
    return request.time();
  }

  public String timeInWords() {
    return inWords(request.time());
  }

  public @Nullable String clientId() {
    return VisibleText.ofNullable(request.clientId());
  }

  /** Returns the client's name, or its clientId if it has no visible name. */
  public @Nullable String clientShown() {
    return clientName == null || clientName.isBlank() ? clientId() : VisibleText.of(clientName);
  }

  public String method() {
    return VisibleText.of(request.method());
  }

  public String path() {
    return VisibleText.of(request.path());
  }

  public int status() {
    return request.status();
  }

  public @Nullable String reason() {
    return request.reason() == null ? null : request.reason().word();
  }

  public String duration() {
    return String.format(Locale.ROOT, "%.3f ms", request.duration().toNanos() / 1e6);
  }

  public String address() {
    return VisibleText.of(request.address());
  }

  public String requestId() {
    return VisibleText.of(request.requestId());
  }

  public String trust() {
    return request.trust().word();
  }

  public boolean isRefused() {
    return request.reason() != null || request.status() >= 400;
  }
}
