package dev.countersign.client.answers;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends a request and reads the whole answer, with limits on its time and size.
 *
 * @param most maximum size of a body in bytes; a problem document (RFC 9457) is limited to {@link
 *     #MAX_PROBLEM_SIZE} in any case
 */
public record Exchange(HttpClient http, long most) {
  /** 1 MiB, far more than any problem document needs. */
  public static final long MAX_PROBLEM_SIZE = 1L << 20;

  /**
   * Sends a request and returns the answer, whatever its status.
   *
   * @param timeout limit for the whole answer; if it is not positive, the call times out at once
   *     and sends nothing
   * @throws HttpTimeoutException when the answer is not complete in time
   * @throws AnswerTooLargeException when the body is too large
   * @throws IOException when there is no answer for any other reason
   */
  public HttpResponse<byte[]> send(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new HttpTimeoutException("no time left to send the request");
    }
    // Design note: the HTTP client's own timeout covers only the headers. Without this limit, a
    // body could arrive slowly for ever.
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, response -> new BoundedBody(response, limit(response)));
    try {
      return answer.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new HttpTimeoutException("no complete response in time");
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    }
  }

  private long limit(ResponseInfo response) {
    String type = response.headers().firstValue("content-type").orElse("");
    return type.toLowerCase(Locale.ROOT).startsWith("application/problem+json")
        ? Math.min(most, MAX_PROBLEM_SIZE)
        : most;
  }

  private static IOException failure(Throwable cause) {
    return cause instanceof IOException failure
        ? failure
        : new IOException(cause.toString(), cause);
  }
}
