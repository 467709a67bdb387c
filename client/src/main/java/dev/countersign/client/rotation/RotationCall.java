package dev.countersign.client.rotation;

import dev.countersign.client.answers.AnswerTooLargeException;
import dev.countersign.client.answers.Exchange;
import dev.countersign.client.answers.Pause;
import dev.countersign.client.keys.KeySource;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends the rotation request and repeats it if necessary, which is safe because registering the
 * same key again is harmless. Each attempt is signed anew, in a later second.
 */
final class RotationCall {
  private static final int ATTEMPTS = 6;
  // Longer than a second, because the same bytes in the same second would be a replay.
  private static final Duration FIRST_DELAY = Duration.ofMillis(1100);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MAXIMUM_DELAY = Duration.ofSeconds(60);

  private final Exchange exchange;
  private final Clock clock;
  private final Pause pause;
  private Duration delay = FIRST_DELAY;
  private boolean uncertain;

  RotationCall(HttpClient client, Clock clock, Pause pause) {
    this.exchange = new Exchange(client, Exchange.MAX_PROBLEM_SIZE);
    this.clock = clock;
    this.pause = pause;
  }

  /** Sends the request and returns the last answer. */
  RotationAnswer send(RotationRequest request, KeySource current, NextKey next) {
    uncertain = next.resumed();
    RotationAnswer answer = send(request, current);
    if (answer.isUnknownKey() && uncertain) {
      // An earlier attempt may have registered the new key so long ago that the old one no longer
      // works.
      RotationAnswer other = send(request, next.source());
      return other.isRegistered() ? other : answer.uncertain();
    }
    return uncertain ? answer.uncertain() : answer;
  }

  private RotationAnswer send(RotationRequest request, KeySource signer) {
    for (int attempt = 1; ; attempt++) {
      HttpRequest signed = request.signed(signer, clock.instant());
      HttpResponse<byte[]> response = answer(signed, attempt == ATTEMPTS);
      if (response != null) {
        RotationAnswer answer = new RotationAnswer(signed, response, false);
        uncertain |= response.statusCode() >= 500 || answer.isTemporary();
        Duration asked = answer.retryAfter().orElse(Duration.ZERO);
        if (!answer.wantsRetry() || attempt == ATTEMPTS || asked.compareTo(MAXIMUM_DELAY) > 0) {
          return answer;
        }
        sleep(asked);
      } else {
        sleep(Duration.ZERO);
      }
    }
  }

  private @Nullable HttpResponse<byte[]> answer(HttpRequest signed, boolean last) {
    try {
      return exchange.send(signed, signed.timeout().orElse(TIMEOUT));
    } catch (AnswerTooLargeException e) {
      throw new RotationException(
          "answer_malformed", e.getMessage() + ", so it cannot be the answer to a rotation", e);
    } catch (IOException e) {
      uncertain = true;
      if (last) {
        throw new RotationException(
            "connection_failed",
            "POST " + signed.uri() + " got no response in " + ATTEMPTS + " attempts: " + e,
            e);
      }
      return null;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void sleep(Duration asked) {
    try {
      pause.sleep(asked.compareTo(delay) > 0 ? asked : delay);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    delay = delay.multipliedBy(2);
  }

  private static RotationException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RotationException("interrupted", "the rotation was interrupted", e);
  }
}
