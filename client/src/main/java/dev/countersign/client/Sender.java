package dev.countersign.client;

import dev.countersign.protocol.Reason;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Sends a request until it is answered, as often as the policy allows. */
final class Sender {
  /** RFC 9110 section 9.2.1: methods that may be repeated because they change nothing. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** The reasons of temporary failures, after which the next attempt may succeed. */
  private static final Set<String> TEMPORARY = Set.of("connection_failed", "timeout");

  private final HttpAttempt httpAttempt;
  private final RetryPolicy policy;
  private final RetryTiming retryTiming;
  private final boolean correctsClock;
  private final RequestSigner signer;

  /** The correction that brings the signer's clock to the service's time. */
  private final AtomicReference<Duration> correction = new AtomicReference<>(Duration.ZERO);

  Sender(
      HttpAttempt httpAttempt,
      RequestSigner signer,
      RetryPolicy policy,
      RetryTiming retryTiming,
      boolean correctsClock) {
    this.httpAttempt = httpAttempt;
    this.policy = policy;
    this.retryTiming = retryTiming;
    this.correctsClock = correctsClock;
    this.signer = signer;
  }

  /**
   * Sends a request and returns the answer, whatever its status.
   *
   * @throws CountersignException when there is no answer
   */
  FinalResponse send(HttpRequest original) {
    HttpRequest request = HttpAttempt.withDigest(original);
    int attempts = mayRepeat(request) ? policy.attempts() : 1;
    int number = 1;
    while (true) {
      Duration wait;
      try {
        FinalResponse answer = sendCorrectingClock(request, number, attempts);
        number = answer.attempts();
        Optional<Duration> nextWait = number < attempts ? waitAfter(answer) : Optional.empty();
        if (nextWait.isEmpty()) {
          return answer;
        }
        wait = nextWait.get();
      } catch (CountersignException e) {
        number = e.attempts();
        if (number >= attempts || !TEMPORARY.contains(e.reason())) {
          throw e;
        }
        wait = ownDelay(number);
      }
      sleep(wait, request, number);
      number++;
    }
  }

  private Duration ownDelay(int number) {
    return policy.delayAfter(number, retryTiming.random().getAsDouble());
  }

  /**
   * Sends one attempt. If the service refuses the time of the signature and the clock may be
   * corrected, signs a second attempt with the service's time and sends it. The service did not act
   * on the refused request, so the second attempt is safe even if the policy allows only one.
   */
  private FinalResponse sendCorrectingClock(HttpRequest request, int number, int attempts) {
    Duration known = correction.get();
    FinalResponse answer = httpAttempt.send(request, signerWith(known), number);
    Optional<Duration> skew = answer.clockSkew();
    if (!correctsClock || skew.isEmpty() || number >= Math.max(2, attempts)) {
      return answer;
    }
    Duration corrected = known.minus(skew.get());
    FinalResponse second = httpAttempt.send(request, signerWith(corrected), number + 1);
    if (!ClockSkew.refusesTime(second.reason(), second.response())) {
      correction.compareAndSet(known, corrected);
    }
    return second;
  }

  private RequestSigner signerWith(Duration correction) {
    return signer.withClock(clockWith(correction));
  }

  private Clock clockWith(Duration correction) {
    return Clock.offset(signer.clock(), correction);
  }

  private static boolean mayRepeat(HttpRequest request) {
    return SAFE.contains(request.method())
        || request.headers().firstValue("idempotency-key").isPresent();
  }

  /** The wait before the next attempt; empty if the answer is final. */
  private Optional<Duration> waitAfter(FinalResponse answer) {
    if (!isTemporary(answer)) {
      return Optional.empty();
    }
    Duration ownDelay = ownDelay(answer.attempts());
    Duration retryAfter = answer.retryAfter().orElse(Duration.ZERO);
    return retryAfter.compareTo(policy.maximumDelay()) > 0
        ? Optional.empty()
        : Optional.of(retryAfter.compareTo(ownDelay) > 0 ? retryAfter : ownDelay);
  }

  /**
   * Returns whether the refusal is temporary. {@code in_progress} means that the service is still
   * processing an earlier request with the same Idempotency-Key. {@code total_unavailable} is not
   * temporary, because counting the list would take too long again.
   */
  private static boolean isTemporary(FinalResponse answer) {
    int status = answer.response().statusCode();
    return status == 429
        || (status == 503 && !answer.reason().equals(Reason.TOTAL_UNAVAILABLE.word()))
        || (status == 409 && answer.reason().equals(Reason.IN_PROGRESS.word()));
  }

  private void sleep(Duration wait, HttpRequest request, int number) {
    try {
      retryTiming.pause().sleep(wait);
    } catch (InterruptedException e) {
      throw HttpAttempt.interrupted(request, number, e);
    }
  }
}
