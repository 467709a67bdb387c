package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A completed request, as a {@link RequestObserver} receives it. It never contains a body or a
 * signature.
 *
 * <p>The texts are exactly what the caller sent, including markup and control characters.
 *
 * @param requestId the id in the answer and in the log
 * @param time when the request was completed
 * @param duration the time from the first byte of the request to the end of its answer
 * @param method the method, up to 32 characters; {@code -} if it could not be read
 * @param target the path and query as called, up to 2,048 characters; {@code -} if they could not
 *     be read
 * @param status the status of the answer
 * @param reason why the request was refused; null if it was not
 * @param detail the detail that the caller received, up to 2,048 characters; null if the request
 *     was not refused, and for {@link Reason#BODY_INVALID}, because its details quote the body
 * @param checks the progress through the checks
 * @param clientId the registered client that the request names; null if it names none
 * @param keyFingerprint the fingerprint of the key that verified the signature; null if the
 *     signature was not verified
 * @param trust how far the sender's identity was verified
 * @param address the caller's address, or the peer's address if a proxy's header was unreadable
 * @param userAgent up to 200 characters; null if none was sent
 * @param evidence what the service expected and received, for the reasons that {@link Evidence}
 *     names; empty for all other reasons
 */
public record CompletedRequest(
    String requestId,
    Instant time,
    Duration duration,
    String method,
    String target,
    int status,
    @Nullable Reason reason,
    @Nullable String detail,
    CheckProgress checks,
    @Nullable String clientId,
    @Nullable String keyFingerprint,
    TrustLevel trust,
    String address,
    @Nullable String userAgent,
    Evidence evidence) {

  /** Returns the target without its query. */
  public String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /**
   * The values that the service expected and received.
   *
   * @param expected the required components, for {@link Reason#COMPONENTS_WRONG}
   * @param received the received components, for {@link Reason#COMPONENTS_WRONG}
   * @param signatureBase the base that the service built, for {@link Reason#SIGNATURE_MISMATCH},
   *     even if answers to callers omit it
   */
  public record Evidence(
      @Nullable String expected, @Nullable String received, @Nullable String signatureBase) {
    /** No evidence. */
    public static final Evidence NONE = new Evidence(null, null, null);
  }
}
