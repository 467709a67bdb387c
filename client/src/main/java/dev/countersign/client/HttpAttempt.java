package dev.countersign.client;

import dev.countersign.client.answers.AnswerTooLargeException;
import dev.countersign.client.answers.Exchange;
import dev.countersign.client.keys.KeyException;
import dev.countersign.signatures.SigningException;
import dev.countersign.signatures.httpclient.ChangedBodyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;

/**
 * Signs a request and sends it once. Follows redirects to the same origin, and signs each
 * redirected request anew.
 *
 * @param timeout the limit for the whole answer, with its body and all redirects; a request's own
 *     timeout takes precedence
 */
record HttpAttempt(Exchange exchange, Duration timeout) {

  /**
   * Reads and digests the body before the first attempt, because some publishers can provide the
   * body only once.
   */
  static HttpRequest withDigest(HttpRequest request) {
    try {
      return RequestSigner.withDigest(request);
    } catch (UncheckedIOException e) {
      // The exception alone does not show an interruption, because a socket timeout is an
      // InterruptedIOException too.
      if (e.getCause() instanceof InterruptedIOException
          && Thread.currentThread().isInterrupted()) {
        throw interrupted(request, 0, e);
      }
      throw withoutBody(request, detailOf(request, e), e);
    }
  }

  /** The exception for a body that cannot be read. */
  static CountersignException withoutBody(HttpRequest request, String detail, Throwable cause) {
    return failure("body_unreadable", request, detail, new FinalResponse.Tried(request, 0), cause);
  }

  /**
   * Sends the attempt and returns the answer, whatever its status.
   *
   * @param request the request as {@link #withDigest} returned it
   * @param number the number of this attempt, from 1
   * @throws CountersignException when there is no answer
   */
  FinalResponse send(HttpRequest request, RequestSigner signer, int number) {
    FinalResponse.Tried tried = new FinalResponse.Tried(request, number);
    Duration limit = request.timeout().orElse(timeout);
    long start = System.nanoTime();
    HttpRequest current = request;
    for (int redirects = 0; ; redirects++) {
      HttpRequest signed = signed(current, signer, redirects == 0 ? tried.before() : tried);
      Duration left = limit.minusNanos(System.nanoTime() - start);
      HttpResponse<byte[]> response = answer(signed, left, tried);
      Optional<HttpRequest> next = Redirects.next(current, response);
      if (next.isEmpty()
          || redirects == Redirects.MAX_REDIRECTS
          || turnsPostIntoGet(current, response, next.get())) {
        return FinalResponse.of(signed, response, tried);
      }
      current = next.get();
    }
  }

  /**
   * Returns whether a 301 or 302 turns a POST into a GET (RFC 9110 section 15.4). A 200 would then
   * not mean that the POST succeeded.
   */
  private static boolean turnsPostIntoGet(
      HttpRequest request, HttpResponse<byte[]> response, HttpRequest next) {
    return response.statusCode() != 303 && !next.method().equals(request.method());
  }

  private static HttpRequest signed(
      HttpRequest request, RequestSigner signer, FinalResponse.Tried tried) {
    try {
      return signer.sign(request);
    } catch (KeyException | SigningException | UncheckedIOException | IllegalStateException e) {
      throw failure("key_unusable", request, String.valueOf(e.getMessage()), tried, e);
    } catch (IllegalArgumentException e) {
      throw failure("request_unsignable", request, String.valueOf(e.getMessage()), tried, e);
    }
  }

  private HttpResponse<byte[]> answer(
      HttpRequest signed, Duration left, FinalResponse.Tried tried) {
    try {
      return exchange.send(signed, left);
    } catch (HttpConnectTimeoutException e) {
      throw failure("connection_failed", signed, "the connection timed out", tried, e);
    } catch (HttpTimeoutException e) {
      long millis = tried.request().timeout().orElse(timeout).toMillis();
      throw failure("timeout", signed, "no complete response within " + millis + " ms", tried, e);
    } catch (InterruptedException e) {
      throw interrupted(signed, tried, e);
    } catch (IOException e) {
      throw failure(failureReason(e), signed, detailOf(signed, e), tried, e);
    }
  }

  /**
   * Creates the exception for an interrupted thread, and sets the interrupt flag again for the
   * caller.
   */
  static CountersignException interrupted(HttpRequest request, int number, Throwable cause) {
    return interrupted(request, new FinalResponse.Tried(request, number), cause);
  }

  private static CountersignException interrupted(
      HttpRequest request, FinalResponse.Tried tried, Throwable cause) {
    Thread.currentThread().interrupt();
    return failure("interrupted", request, "the thread was interrupted", tried, cause);
  }

  private static String failureReason(IOException cause) {
    if (hasCause(cause, AnswerTooLargeException.class)) {
      return "answer_too_large";
    }
    return hasCause(cause, ChangedBodyException.class) ? "body_unreadable" : "connection_failed";
  }

  private static String detailOf(HttpRequest request, Throwable failure) {
    if (failure instanceof ConnectException) {
      boolean unknown = hasCause(failure, UnresolvedAddressException.class);
      return (unknown ? "no such host: " : "nothing accepts connections at ")
          + request.uri().getRawAuthority();
    }
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static boolean hasCause(Throwable failure, Class<? extends Throwable> kind) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (kind.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  private static CountersignException failure(
      String reason,
      HttpRequest request,
      String detail,
      FinalResponse.Tried tried,
      Throwable cause) {
    String times = tried.attempts() > 1 ? " (" + tried.attempts() + " attempts)" : "";
    String message = request.method() + ' ' + request.uri() + ": " + detail + times;
    return new CountersignException(reason, message, tried, cause);
  }
}
