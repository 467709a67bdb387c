package dev.countersign.client;

import dev.countersign.client.keys.KeyException;
import dev.countersign.signatures.SigningException;
import dev.countersign.signatures.httpclient.ChangedBodyException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends a request once: signed, and after each redirect inside its origin signed anew.
 *
 * @param timeout for the whole answer, body included, of each request
 */
record Attempt(HttpClient http, Duration timeout) {

  /** The request as every attempt signs it: a publisher may have its body only once. */
  static HttpRequest withDigest(HttpRequest request) {
    try {
      return RequestSigner.withDigest(request);
    } catch (UncheckedIOException e) {
      // Not by the exception alone: a socket's time-out is an InterruptedIOException as well.
      if (e.getCause() instanceof InterruptedIOException
          && Thread.currentThread().isInterrupted()) {
        throw interrupted(request, 0, e);
      }
      throw failure("body_unreadable", request, reasonOf(request, e), 0, e);
    }
  }

  /**
   * The answer, whatever its status.
   *
   * @param request which {@link #withDigest} gave
   * @param number of this attempt, from 1
   * @throws CountersignException when there is no answer
   */
  Answer send(HttpRequest request, RequestSigner signer, int number) {
    HttpRequest current = request;
    for (int redirects = 0; ; redirects++) {
      HttpRequest signed = signed(current, signer, number);
      HttpResponse<byte[]> response = answer(signed, number);
      Optional<HttpRequest> next = Redirects.next(current, response);
      if (next.isEmpty()
          || redirects == Redirects.MOST
          || losesTheWrite(current, response, next.get())) {
        return new Answer(signed, response, number);
      }
      current = next.get();
    }
  }

  /** By 301 and 302 a POST becomes a GET (RFC 9110 section 15.4), whose 200 says nothing of it. */
  private static boolean losesTheWrite(
      HttpRequest request, HttpResponse<byte[]> response, HttpRequest next) {
    return response.statusCode() != 303 && !next.method().equals(request.method());
  }

  private static HttpRequest signed(HttpRequest request, RequestSigner signer, int number) {
    try {
      return signer.sign(request);
    } catch (KeyException | SigningException e) {
      throw failure("key_unusable", request, String.valueOf(e.getMessage()), number - 1, e);
    }
  }

  private HttpResponse<byte[]> answer(HttpRequest signed, int number) {
    // Design note: the client's own timeout ends with the headers; a body may drip for ever.
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(signed, BodyHandlers.ofByteArray());
    Duration patience = signed.timeout().orElse(timeout);
    try {
      return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw late(signed, patience, number, e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw interrupted(signed, number, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof HttpTimeoutException
          ? late(signed, patience, number, cause)
          : unanswered(signed, cause, number);
    }
  }

  private static CountersignException late(
      HttpRequest request, Duration patience, int number, Throwable cause) {
    String detail = "no whole answer within " + patience.toMillis() + " ms";
    return failure("timeout", request, detail, number, cause);
  }

  /** Whoever interrupted the thread still finds it so. */
  static CountersignException interrupted(HttpRequest request, int number, Throwable cause) {
    Thread.currentThread().interrupt();
    return failure("interrupted", request, "the thread was interrupted", number, cause);
  }

  static CountersignException unanswered(HttpRequest request, Throwable cause, int number) {
    boolean changed = hasCause(cause, ChangedBodyException.class);
    String reason = changed ? "body_unreadable" : "connection_failed";
    return failure(reason, request, reasonOf(request, cause), number, cause);
  }

  private static String reasonOf(HttpRequest request, Throwable failure) {
    if (failure instanceof ConnectException) {
      boolean unknown = hasCause(failure, UnresolvedAddressException.class);
      return (unknown ? "no such host: " : "nothing takes connections at ")
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
      String reason, HttpRequest request, String detail, int attempts, Throwable cause) {
    String times = attempts > 1 ? " (" + attempts + " attempts)" : "";
    String message = request.method() + ' ' + request.uri() + ": " + detail + times;
    return new CountersignException(reason, message, attempts, cause);
  }
}
