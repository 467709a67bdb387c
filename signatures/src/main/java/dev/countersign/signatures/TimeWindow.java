package dev.countersign.signatures;

import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * The time limits of a signature: {@code created} and {@code expires} are compared with the clock,
 * and a covered Date is compared with {@code created} (RFC 9421 section 7.2.2).
 *
 * @param maximumAge the maximum age of a signature
 * @param maximumSkew how far a signer's clock may be ahead
 * @param dateAtCreated whether a covered Date must be the same instant as created, with a tolerance
 *     of one second
 */
record TimeWindow(Duration maximumAge, Duration maximumSkew, boolean dateAtCreated) {
  /** The limits of a profile that does not set its own limits. */
  static final TimeWindow STANDARD =
      new TimeWindow(Duration.ofSeconds(300), Duration.ofSeconds(30), false);

  private static final String DATE = "date";

  /**
   * A time or a duration of more seconds than this counts as unlimited. The sum of a time and a
   * duration that do not exceed this limit is before Instant.MAX.
   */
  private static final long MAX_SECONDS = 10_000_000_000_000_000L;

  TimeWindow {
    if (maximumAge.isNegative() || maximumSkew.isNegative()) {
      throw new IllegalArgumentException(
          "an age or skew must not be negative, was " + maximumAge + " and " + maximumSkew);
    }
  }

  TimeWindow withMaximumAge(Duration age) {
    return new TimeWindow(age, maximumSkew, dateAtCreated);
  }

  TimeWindow withMaximumSkew(Duration skew) {
    return new TimeWindow(maximumAge, skew, dateAtCreated);
  }

  TimeWindow withDateAtCreated() {
    return new TimeWindow(maximumAge, maximumSkew, true);
  }

  /** The latest time at which a signature made at {@code created} is accepted. */
  Instant endOf(Instant created) {
    return later(created, maximumAge);
  }

  private static Instant later(Instant time, Duration duration) {
    boolean endless = duration.toSeconds() > MAX_SECONDS || time.getEpochSecond() > MAX_SECONDS;
    return endless ? Instant.MAX : time.plus(duration);
  }

  /**
   * Checks the times of a signature. A time that was not sent is not checked here.
   *
   * @throws VerificationException when the signature is too old, too far in the future or expired,
   *     or when Date is covered but is missing, malformed or different from {@code created}
   */
  void check(ReceivedSignature received, HttpMessage message, Instant now) {
    OptionalLong created = received.parameters().created();
    if (created.isPresent()) {
      checkCreated(Instant.ofEpochSecond(created.getAsLong()), now);
    }
    // A signature is no longer valid in the second that expires names.
    if (received.parameters().expires().orElse(Long.MAX_VALUE) <= now.getEpochSecond()) {
      throw new VerificationException(
          VerificationFailure.EXPIRED, "expires has passed; sign the request anew");
    }
    if (dateAtCreated && created.isPresent() && received.covers(DATE)) {
      checkDate(message, created.getAsLong());
    }
  }

  private void checkCreated(Instant created, Instant now) {
    // Design note: the comparison includes nanoseconds, because a replay store may forget a
    // signature at endOf(created). No signature may be accepted after that instant.
    if (now.isAfter(endOf(created))) {
      throw new VerificationException(
          VerificationFailure.CREATED_TOO_OLD,
          "created is "
              + begunSeconds(created, now)
              + " s old, at most "
              + maximumAge.toSeconds()
              + " s are allowed; sign each request anew and check the signer's clock");
    }
    if (created.isAfter(later(now, maximumSkew))) {
      throw new VerificationException(
          VerificationFailure.CREATED_IN_FUTURE,
          "created is "
              + begunSeconds(now, created)
              + " s in the future, at most "
              + maximumSkew.toSeconds()
              + " s are allowed; check the signer's clock");
    }
  }

  // Rounded up, so that the message of a refusal never shows a number that is allowed.
  private static long begunSeconds(Instant start, Instant end) {
    return Duration.between(start, end).plusNanos(999_999_999).toSeconds();
  }

  private static void checkDate(HttpMessage message, long created) {
    // One second of tolerance, because the signer may have rounded Date or created.
    long difference = date(message, created).getEpochSecond() - created;
    if (Math.abs(difference) > 1) {
      throw new VerificationException(
          VerificationFailure.DATE_MISMATCH,
          "Date is "
              + difference
              + " s away from created; take both from one reading of the clock");
    }
  }

  private static Instant date(HttpMessage message, long created) {
    List<String> lines = message.fieldLines(DATE);
    if (lines.isEmpty()) {
      throw new VerificationException(
          VerificationFailure.DATE_MISSING, "Date is covered by the signature but was not sent");
    }
    if (lines.size() > 1) {
      throw new VerificationException(
          VerificationFailure.DATE_MALFORMED,
          "Date was sent " + lines.size() + " times; send it once");
    }
    try {
      return HttpDate.parseField(lines.get(0));
    } catch (DateTimeException e) {
      throw new VerificationException(
          VerificationFailure.DATE_MALFORMED,
          "Date must be an HTTP date such as "
              + HttpDate.format(Instant.ofEpochSecond(created))
              + ": "
              + e.getMessage());
    }
  }
}
