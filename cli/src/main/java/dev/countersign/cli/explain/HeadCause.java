package dev.countersign.cli.explain;

import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationException.Comparison;
import dev.countersign.signatures.diagnosis.LikelyCause;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds out why the head of a request breaks a rule, before any signature is verified. */
final class HeadCause {
  // In seconds. Most time zones differ from UTC by whole half hours, and by at most 14 hours.
  private static final long HALF_HOUR = 1800;
  private static final long MAX_ZONE_OFFSET = 14 * 3600;
  // The smallest value of created that is taken for milliseconds. In milliseconds it means a time
  // in 1973; in seconds it would mean a time after the year 5000.
  private static final long MILLISECONDS = 100_000_000_000L;

  private HeadCause() {}

  static boolean isInMilliseconds(long created) {
    return created >= MILLISECONDS;
  }

  /** Explains which components are missing or superfluous, or that their order is wrong. */
  static Cause ofComponents(VerificationException refusal) {
    return Cause.of(
        refusal
            .comparison()
            .map(HeadCause::ofLists)
            .orElseGet(() -> String.valueOf(refusal.getMessage())));
  }

  static String ofLists(Comparison lists) {
    List<String> missing = items(lists.expected());
    List<String> unexpected = items(lists.received());
    missing.removeAll(unexpected);
    unexpected.removeAll(items(lists.expected()));
    if (missing.isEmpty() && unexpected.isEmpty()) {
      return "the components are in another order: cover " + lists.expected() + " in this order";
    }
    List<String> parts = new ArrayList<>();
    if (!missing.isEmpty()) {
      parts.add("does not cover " + String.join(" and ", missing));
    }
    if (!unexpected.isEmpty()) {
      parts.add("must not cover " + String.join(" and ", unexpected));
    }
    return "the signature " + String.join(" and ", parts) + ": cover " + lists.expected();
  }

  private static List<String> items(String list) {
    return Arrays.stream(list.replaceAll("[()]", "").split(" "))
        .filter(item -> !item.isEmpty())
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Explains why Date and created differ; empty if Date is malformed. */
  static Optional<Cause> ofDate(List<String> dates, long created) {
    try {
      Instant date = HttpDate.parse(dates.isEmpty() ? "" : dates.get(0));
      long seconds = date.getEpochSecond() - created;
      boolean isTimeZone = seconds % HALF_HOUR == 0 && Math.abs(seconds) <= MAX_ZONE_OFFSET;
      LikelyCause cause = isTimeZone ? LikelyCause.TIME_ZONE : LikelyCause.DATE_DIFFERS;
      return Optional.of(
          Cause.of("Date is " + seconds + " s away from created; " + cause.sentence()));
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
