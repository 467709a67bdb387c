package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request, as its observer is told it. It never holds a body or a signature.
 *
 * <p>The texts are what the caller sent: markup, control characters and all.
 *
 * @param requestId the id on the answer and in the log
 * @param time when it ended
 * @param duration from its first byte to the end of its answer
 * @param method the method, up to 32 characters; {@code -} where it could not be read
 * @param target path and query as called, up to 2,048 characters; {@code -} where unread
 * @param status the status of the answer
 * @param reason why it was refused; null where it was not
 * @param detail what the caller was told, up to 2,048 characters; null where it was not refused,
 *     and for {@link Reason#BODY_INVALID}, whose details quote the body
 * @param checks how far it came through the checks
 * @param clientId the registered client that it names; null where it names none
 * @param keyFingerprint of the key that verified; null unless {@link Standing#VERIFIED}
 * @param standing how far the sender's identity was verified
 * @param address the caller's own address, or the peer's where a proxy's word was unreadable
 * @param userAgent up to 200 characters; null where none was sent
 * @param evidence what the two sides made of the signature, for some reasons
 */
public record EndedRequest(
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
    Standing standing,
    String address,
    @Nullable String userAgent,
    Evidence evidence) {

  /**
   * What was expected and what came.
   *
   * @param expected the components required, for {@link Reason#COMPONENTS_WRONG}
   * @param received the components that came, for {@link Reason#COMPONENTS_WRONG}
   * @param signatureBase as the service built it, for {@link Reason#SIGNATURE_MISMATCH}, whether or
   *     not the caller is shown it
   */
  public record Evidence(
      @Nullable String expected, @Nullable String received, @Nullable String signatureBase) {
    /** Nothing to compare. */
    public static final Evidence NONE = new Evidence(null, null, null);
  }
}
