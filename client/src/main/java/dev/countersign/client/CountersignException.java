package dev.countersign.client;

import dev.countersign.client.text.PlainText;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not end well: refused by the service, unanswered, or answered with something that
 * cannot be used.
 *
 * <p>The message is one line for a log, without control characters: {@code components_wrong: GET
 * https://api.example.com/ledger/v1/wallets: … (status 401, request id 7f3c…)}. {@link #reason()}
 * is for programs: the service's own word, {@code http_<status>} where it has none, or one of
 * {@code connection_failed}, {@code timeout}, {@code interrupted}, {@code body_unreadable}, {@code
 * answer_malformed}, {@code answer_too_large}, {@code page_unexpected}, {@code page_repeated},
 * {@code list_changed}, {@code redirect_refused}, {@code key_unusable} and {@code
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

  /** Without a request, which somebody else may have sent. */
  CountersignException(String reason, String message, int attempts, @Nullable Throwable cause) {
    this(reason, message, attempts, (String) null, cause);
  }

  /** For a request without an answer. */
  CountersignException(String reason, String message, Tried tried, @Nullable Throwable cause) {
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

  CountersignException(String reason, String message, Answer answer) {
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
   * The refusal of a request that was sent otherwise than by {@link CountersignClient}.
   *
   * @param request as it was sent
   */
  public static CountersignException refused(HttpRequest request, HttpResponse<byte[]> response) {
    return Answer.of(request, response, new Tried(request, 1)).refusal();
  }

  /** One word that programs can rely on. */
  public String reason() {
    return reason;
  }

  /** The status of the answer, nothing where there was none. */
  public OptionalInt status() {
    return status == NO_ANSWER ? OptionalInt.empty() : OptionalInt.of(status);
  }

  /** What the service said, nothing where it was not a problem document. */
  public Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  /**
   * How often the request was sent: 0 where it failed before, for want of a key, of a body or of
   * something to sign, or because the thread was interrupted.
   */
  public int attempts() {
    return attempts;
  }

  /**
   * By how much the two clocks differ, where the service refused a request for its time: positive
   * when this machine is ahead of the service, to the second.
   */
  public Optional<Duration> clockSkew() {
    return Optional.ofNullable(clockSkew);
  }

  /**
   * How long from then on the service wants to be left alone (RFC 9110 section 10.2.3), such as
   * after a 429; never negative, nothing where it does not say.
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /**
   * The Idempotency-Key of the request, nothing where it had none. Whoever does not know whether
   * the service has done what a post asked for posts the same body again under this key: it is done
   * once.
   */
  public Optional<String> idempotencyKey() {
    return Optional.ofNullable(idempotencyKey);
  }
}
