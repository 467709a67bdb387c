package dev.countersign.client;

import dev.countersign.protocol.Reason;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The difference between this machine's clock and the service's, determined from a refusal. */
final class ClockSkew {
  /** The reasons for refusals that a wrong clock can cause. */
  private static final Set<Reason> REASONS =
      EnumSet.of(
          Reason.CREATED_TOO_OLD, Reason.CREATED_IN_FUTURE, Reason.EXPIRED, Reason.DATE_MISMATCH);

  /**
   * The smallest difference that counts as skew. The network, and rounding both dates to seconds,
   * can cause smaller differences.
   */
  private static final Duration MIN_SKEW = Duration.ofSeconds(2);

  private ClockSkew() {}

  /** Returns whether the answer is a refusal that a wrong clock can cause. */
  static boolean refusesTime(String reason, HttpResponse<?> response) {
    return response.statusCode() == 401
        && Reason.ofWord(reason).filter(REASONS::contains).isPresent();
  }

  /**
   * Our Date minus the service's Date; empty if the refusal has another cause, a Date is missing or
   * cannot be read, or the difference is too small.
   */
  static Optional<Duration> of(String reason, HttpRequest request, HttpResponse<?> response) {
    if (!refusesTime(reason, response)) {
      return Optional.empty();
    }
    Optional<Instant> theirs = date(response.headers());
    return date(request.headers())
        .flatMap(ours -> theirs.map(date -> Duration.between(date, ours)))
        .filter(skew -> skew.abs().compareTo(MIN_SKEW) >= 0);
  }

  static Optional<Instant> date(HttpHeaders headers) {
    return headers.firstValue("date").flatMap(ReceivedDate::parse);
  }

  /** Describes the difference: {@code this machine's clock is 7 min 3 s behind the server's}. */
  static String describe(Duration skew) {
    Duration size = skew.abs();
    StringBuilder text = new StringBuilder("this machine's clock is ");
    append(text, size.toDays(), " d ");
    append(text, size.toHoursPart(), " h ");
    append(text, size.toMinutesPart(), " min ");
    append(text, size.toSecondsPart(), " s ");
    return text.append(skew.isNegative() ? "behind" : "ahead of")
        .append(" the server's")
        .toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }
}
