package dev.countersign.server.access;

import dev.countersign.signatures.Failure;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a request was refused: one word that is the same in problem documents, logs and metrics.
 *
 * <p>The word of {@link #SIGNATURE_MISSING} is {@code signature_missing}, and so on. Each reason
 * has one HTTP status and a title that does not vary with the request (RFC 9457 section 3.1.3).
 */
public enum Reason {
  SIGNATURE_MISSING(401, "The request is not signed"),
  SIGNATURE_MALFORMED(401, "The signature fields cannot be read"),
  LABEL_MISSING(401, "No signature is labelled sig"),
  COMPONENTS_WRONG(401, "The signature covers other components than required"),
  PARAMETERS_WRONG(401, "The signature parameters are not those required"),
  ALGORITHM_WRONG(401, "The algorithm is not that of the registered key"),
  CLIENT_UNKNOWN(401, "No client has this clientId"),
  CLIENT_MISTYPED(401, "The clientId is mistyped"),
  CLIENT_DISABLED(401, "The client is disabled"),
  CREATED_TOO_OLD(401, "The signature is too old"),
  CREATED_IN_FUTURE(401, "The signature was made in the future"),
  EXPIRED(401, "The signature has expired"),
  DATE_MISSING(401, "The Date header is missing"),
  DATE_MALFORMED(401, "The Date header cannot be read"),
  DATE_MISMATCH(401, "Date and created are not the same instant"),
  DIGEST_MISSING(401, "The body has no Content-Digest"),
  DIGEST_MALFORMED(401, "The Content-Digest header cannot be used"),
  DIGEST_UNEXPECTED(401, "A Content-Digest came without a body"),
  DIGEST_MISMATCH(401, "The body is not the one that was signed"),
  SIGNATURE_MISMATCH(401, "The signature does not verify"),
  REPLAYED(401, "The request was taken before"),
  ADDRESS_NOT_ALLOWED(403, "The address is not on the client's network whitelist"),
  ROLE_MISSING(403, "The client's roles do not allow this"),
  REQUEST_MALFORMED(400, "The request is malformed"),
  PARAMETER_INVALID(400, "A query parameter is invalid"),
  PARAMETER_UNKNOWN(400, "A query parameter is unknown"),
  NOT_FOUND(404, "Nothing is here"),
  METHOD_NOT_ALLOWED(405, "The method is not allowed here"),
  BODY_TIMEOUT(408, "The body did not arrive in time"),
  IN_PROGRESS(409, "A request with this Idempotency-Key is still running"),
  ROTATION_PENDING(409, "The client has two live keys"),
  BODY_TOO_LARGE(413, "The body is too large"),
  MEDIA_TYPE_UNSUPPORTED(415, "The body's type or encoding is not supported"),
  HOST_UNKNOWN(421, "The service is not reached under this host"),
  BODY_INVALID(422, "The body is invalid"),
  IDEMPOTENCY_MISMATCH(422, "The Idempotency-Key belongs to another request"),
  POSSESSION_UNPROVEN(422, "Nothing shows that the caller holds the new key"),
  RATE_LIMITED(429, "Too many requests"),
  /** A defect of the service; no input is meant to reach it. */
  INTERNAL_ERROR(500, "The service failed"),
  OVERLOADED(503, "The service is busy");

  private final int status;
  private final String title;
  private final String word = name().toLowerCase(Locale.ROOT);

  Reason(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The reason for which a signature was not accepted, mostly by its equal name. */
  static Reason of(Failure failure) {
    return switch (failure) {
      case KEY_UNKNOWN -> CLIENT_UNKNOWN;
      case NONCE_USED -> REPLAYED;
      case SIGNATURE_AMBIGUOUS -> SIGNATURE_MALFORMED;
      default -> valueOf(failure.name());
    };
  }

  /** The reason of this word; empty where a newer release wrote it. */
  public static Optional<Reason> ofWord(String word) {
    return Arrays.stream(values()).filter(reason -> reason.word.equals(word)).findFirst();
  }

  /** The HTTP status code of this reason, 400 to 503. */
  public int status() {
    return status;
  }

  /** A short summary that does not depend on the request. */
  public String title() {
    return title;
  }

  /** The stable word, such as {@code signature_mismatch}. */
  public String word() {
    return word;
  }
}
