package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.Checks;
import dev.countersign.server.requests.RequestDetails;
import org.jspecify.annotations.Nullable;

/** One request with all that is kept of it, in words. */
record OpenedRequest(RequestRow row, RequestDetails details) {
  private static final String NO_KEY =
      "No key of the client was live when the request came, so no signature base was built:"
          + " register a new key of the caller under API Keys.";

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
    Reason reason = reason();
    if (reason == null) {
      return null;
    }
    return reason == Reason.SIGNATURE_MISMATCH && details.signatureBase() == null
        ? NO_KEY
        : reason.adviceToOperator();
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
