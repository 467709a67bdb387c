package dev.countersign.cli.explain;

import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationException.Comparison;
import dev.countersign.signatures.diagnosis.LikelyCause;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out why the head of a request breaks a rule, before any signature is verified. */
final class HeadCause {
  private static final long HALF_HOUR = 1800;
  private static final long LONGEST_ZONE = 14 * 3600;
  // After the year 5000 if read as seconds, and in 1973 if read as milliseconds.
  private static final long MILLISECONDS = 100_000_000_000L;

  private HeadCause() {}

  static boolean isInMilliseconds(long created) {
    return created >= MILLISECONDS;
  }

  /** Components that are missing, superfluous, or in another order. */
  static Cause ofComponents(VerificationException refusal) {
    return Cause.of(
        refusal
            .comparison()
            .map(HeadCause::ofLists)
            .orElseGet(() -> String.valueOf(refusal.getMessage())));
  }

  static String ofLists(Comparison lists) {
    List<String> missing = items(lists.expected());
    List<String> more = items(lists.received());
    missing.removeAll(more);
    more.removeAll(items(lists.expected()));
    if (missing.isEmpty() && more.isEmpty()) {
      return "the components are in another order: cover " + lists.expected() + " in this order";
    }
    List<String> parts = new ArrayList<>();
    if (!missing.isEmpty()) {
      parts.add("does not cover " + String.join(" and ", missing));
    }
    if (!more.isEmpty()) {
      parts.add("must not cover " + String.join(" and ", more));
    }
    return "the signature " + String.join(" and ", parts) + ": cover " + lists.expected();
  }

  private static List<String> items(String list) {
    return new ArrayList<>(List.of(list.replaceAll("[()]", "").trim().split(" +")));
  }

  /** A Date that is not the same second as created. */
  static Optional<Cause> ofDate(List<String> dates, long created) {
    try {
      Instant date = HttpDate.parse(dates.isEmpty() ? "" : dates.get(0));
      long seconds = date.getEpochSecond() - created;
      boolean zone = seconds % HALF_HOUR == 0 && Math.abs(seconds) <= LONGEST_ZONE;
      LikelyCause cause = zone ? LikelyCause.TIME_ZONE : LikelyCause.DATE_OTHER;
      return Optional.of(
          Cause.of("Date is " + seconds + " s away from created; " + cause.sentence()));
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
