package dev.countersign.client;

import dev.countersign.protocol.PlainText;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The final answer of the service.
 *
 * @param request the request as it was last sent
 * @param tried the caller's request, and the number of attempts
 * @param problem the service's explanation of a refusal
 */
record FinalResponse(
    HttpRequest request, HttpResponse<byte[]> response, Tried tried, Optional<Problem> problem) {

  static FinalResponse of(HttpRequest request, HttpResponse<byte[]> response, Tried tried) {
    return new FinalResponse(
        request, response, tried, isSuccess(response) ? Optional.empty() : Problem.read(response));
  }

  int attempts() {
    return tried.attempts();
  }

  boolean isSuccess() {
    return isSuccess(response);
  }

  private static boolean isSuccess(HttpResponse<?> response) {
    return response.statusCode() >= 200 && response.statusCode() < 300;
  }

  String reason() {
    return problem.map(Problem::reason).orElseGet(() -> "http_" + response.statusCode());
  }

  Optional<Duration> clockSkew() {
    return ClockSkew.of(reason(), request, response);
  }

  /** The time that the service asks the client to wait, counted from the answer. */
  Optional<Duration> retryAfter() {
    return RetryAfter.of(request, response);
  }

  /** The exception for an answer that is not a success. */
  CountersignException refusal() {
    String reason = isRedirect() ? "redirect_refused" : reason();
    return new CountersignException(reason, message(detail()), this);
  }

  /** The exception for a success that cannot be used. */
  CountersignException unusable(String reason, String detail) {
    return new CountersignException(reason, message(detail), this);
  }

  private boolean isRedirect() {
    return Redirects.isRedirect(response) && problem.isEmpty();
  }

  private String detail() {
    if (isRedirect()) {
      String location = response.headers().firstValue("location").orElse("nowhere");
      return "the service redirects to "
          + location
          + ", but the client does not follow: the redirect leads to another origin, exceeds the"
          + " maximum number of redirects, or is a 301 or 302 that would turn a POST into a GET;"
          + " call the new address directly";
    }
    String summary =
        problem
            .map(problem -> problem.detail().isEmpty() ? problem.title() : problem.detail())
            .filter(text -> !text.isEmpty())
            .map(PlainText::line)
            .orElse("the service gave no reason");
    return clockSkew().map(skew -> summary + "; " + ClockSkew.describe(skew)).orElse(summary);
  }

  private String message(String detail) {
    List<String> facts = new ArrayList<>();
    facts.add("status " + response.statusCode());
    problem
        .flatMap(Problem::requestId)
        .or(() -> response.headers().firstValue("x-request-id"))
        .ifPresent(id -> facts.add("request id " + id));
    if (attempts() > 1) {
      facts.add(attempts() + " attempts");
    }
    return request.method()
        + ' '
        + request.uri()
        + ": "
        + PlainText.line(detail)
        + " ("
        + String.join(", ", facts)
        + ')';
  }

  /**
   * The caller's request and the number of attempts so far.
   *
   * @param request the caller's request, before any redirect changed it
   * @param attempts the number of times that the request was sent, from 0
   */
  record Tried(HttpRequest request, int attempts) {

    /** A copy that does not count the attempt in progress. */
    Tried before() {
      return new Tried(request, attempts - 1);
    }

    Optional<String> idempotencyKey() {
      return request.headers().firstValue("idempotency-key");
    }
  }
}
