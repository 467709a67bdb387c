package dev.countersign.client;

import dev.countersign.protocol.PlainText;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A failed call: the service refused the request or did not answer, or the answer cannot be used.
 *
 * <p>The message is one line for a log, without control characters: {@code components_wrong: GET
 * https://api.example.com/ledger/v1/wallets: … (status 401, request id 7f3c…)}. Programs should
 * rely on {@link #reason()}. If the service refused the request, the reason comes from the service,
 * or is {@code http_<status>} if the service gave no reason. All other failures have one of the
 * reasons {@code connection_failed}, {@code timeout}, {@code interrupted}, {@code body_unreadable},
 * {@code answer_malformed}, {@code answer_too_large}, {@code page_unexpected}, {@code
 * page_repeated}, {@code list_changed}, {@code redirect_refused}, {@code key_unusable} and {@code
 * request_unsignable}.
 */
public final class CountersignException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NO_ANSWER = -1;

  private final String reason;
  private final int attempts;
  private final int status;
  private final transient @Nullable Problem problem;
  private final @Nullable Duration clockSkew;
  private final @Nullable Duration retryAfter;
  private final @Nullable String idempotencyKey;

  /**
   * Creates the exception for a walk that was interrupted or closed. Another thread sends the
   * request, so the request is not known here.
   */
  CountersignException(String reason, String message, int attempts, @Nullable Throwable cause) {
    this(reason, message, attempts, (String) null, cause);
  }

  /** Creates the exception for a request without an answer. */
  CountersignException(
      String reason, String message, FinalResponse.Tried tried, @Nullable Throwable cause) {
    this(reason, message, tried.attempts(), tried.idempotencyKey().orElse(null), cause);
  }

  private CountersignException(
      String reason,
      String message,
      int attempts,
      @Nullable String idempotencyKey,
      @Nullable Throwable cause) {
    super(PlainText.message(reason + ": " + message), cause);
    this.reason = reason;
    this.attempts = attempts;
    this.status = NO_ANSWER;
    this.problem = null;
    this.clockSkew = null;
    this.retryAfter = null;
    this.idempotencyKey = idempotencyKey;
  }

  CountersignException(String reason, String message, FinalResponse answer) {
    super(PlainText.message(reason + ": " + message));
    this.reason = reason;
    this.attempts = answer.attempts();
    this.status = answer.response().statusCode();
    this.problem = answer.problem().orElse(null);
    this.clockSkew = answer.clockSkew().orElse(null);
    this.retryAfter = answer.retryAfter().orElse(null);
    this.idempotencyKey = answer.tried().idempotencyKey().orElse(null);
  }

  /**
   * Creates the exception for a response that refuses a request, for example one that {@link
   * CountersignClient#send} returned.
   *
   * @param request the request as it was sent
   */
  public static CountersignException refused(HttpRequest request, HttpResponse<byte[]> response) {
    return FinalResponse.of(request, response, new FinalResponse.Tried(request, 1)).refusal();
  }

  /** A stable word that programs can rely on. */
  public String reason() {
    return reason;
  }

  /** The status of the answer; empty if there was no answer. */
  public OptionalInt status() {
    return status == NO_ANSWER ? OptionalInt.empty() : OptionalInt.of(status);
  }

  /** The service's problem document; empty if the answer was not a problem document. */
  public Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  /**
   * The number of times that the request was sent. It is 0 if the call failed before the first
   * attempt: the key, the body or the signature was not available, or the thread was interrupted.
   * An attempt whose time was up before the request could be sent counts as well.
   */
  public int attempts() {
    return attempts;
  }

  /**
   * The difference between this machine's clock and the service's, if the service refused the
   * request because of its time. It is positive when this machine is ahead of the service, and
   * accurate to the second.
   */
  public Optional<Duration> clockSkew() {
    return Optional.ofNullable(clockSkew);
  }

  /**
   * The time that the service asks the client to wait, counted from the answer (RFC 9110 section
   * 10.2.3), for example after a 429. Never negative; empty if the service does not state a time.
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /**
   * The Idempotency-Key of the request; empty if it had none. If the outcome of a post is unknown,
   * post the same body again under this key: the service acts only once for each key.
   */
  public Optional<String> idempotencyKey() {
    return Optional.ofNullable(idempotencyKey);
  }
}
