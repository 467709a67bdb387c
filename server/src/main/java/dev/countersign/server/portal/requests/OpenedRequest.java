package dev.countersign.server.portal.requests;

import dev.countersign.server.access.Checks;
import dev.countersign.server.access.Reason;
import dev.countersign.server.requests.RequestDetails;
import org.jspecify.annotations.Nullable;

/** One request with all that is kept of it, in words. */
record OpenedRequest(RequestRow row, RequestDetails details) {

  public String target() {
    return Visible.of(details.target());
  }

  public @Nullable Reason reason() {
    return details.request().reason();
  }

  public Checks checks() {
    return Checks.of(reason(), details.request().standing());
  }

  public @Nullable String advice() {
    return Advice.of(details);
  }

  public @Nullable String detail() {
    return Visible.ofNullable(details.detail());
  }

  public @Nullable String expected() {
    return Visible.ofNullable(details.expected());
  }

  public @Nullable String received() {
    return Visible.ofNullable(details.received());
  }

  public @Nullable String signatureBase() {
    return details.signatureBase() == null ? null : Visible.ofLines(details.signatureBase());
  }

  public @Nullable String keyFingerprint() {
    return Visible.ofNullable(details.keyFingerprint());
  }

  public @Nullable String userAgent() {
    return Visible.ofNullable(details.userAgent());
  }
}
