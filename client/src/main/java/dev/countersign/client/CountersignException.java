package dev.countersign.client;

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
 * answer_malformed}, {@code page_unexpected}, {@code page_repeated}, {@code redirect_refused} and
 * {@code key_unusable}.
 */
public final class CountersignException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final int attempts;
  private final transient @Nullable HttpResponse<byte[]> response;
  private final transient @Nullable Problem problem;
  private final @Nullable Duration clockSkew;

  CountersignException(String reason, String message, int attempts, @Nullable Throwable cause) {
    super(PlainText.message(reason + ": " + message), cause);
    this.reason = reason;
    this.attempts = attempts;
    this.response = null;
    this.problem = null;
    this.clockSkew = null;
  }

  CountersignException(String reason, String message, Answer answer) {
    super(PlainText.message(reason + ": " + message));
    this.reason = reason;
    this.attempts = answer.attempts();
    this.response = answer.response();
    this.problem = answer.problem().orElse(null);
    this.clockSkew = answer.clockSkew().orElse(null);
  }

  /**
   * The refusal of a request that was sent otherwise than by {@link CountersignClient}.
   *
   * @param request as it was sent
   */
  public static CountersignException refused(HttpRequest request, HttpResponse<byte[]> response) {
    return new Answer(request, response, 1).refusal();
  }

  /** One word that programs can rely on. */
  public String reason() {
    return reason;
  }

  /** The status of the answer, nothing where there was none. */
  public OptionalInt status() {
    return response == null ? OptionalInt.empty() : OptionalInt.of(response.statusCode());
  }

  /** What the service said, nothing where it was not a problem document. */
  public Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  /** How often the request was sent, at least 1 unless the key could not be used. */
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
}
