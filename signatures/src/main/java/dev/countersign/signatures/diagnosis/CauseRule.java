package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** A rule for two texts that differ. It fits if the texts show its cause. */
record CauseRule(LikelyCause cause, BiPredicate<String, String> fits) {

  /** A rule that fits if both texts look the same through a view. */
  static CauseRule same(LikelyCause cause, Function<String, ?> view) {
    return new CauseRule(
        cause, (signed, rebuilt) -> view.apply(signed).equals(view.apply(rebuilt)));
  }

  /** A rule that fits in either direction. */
  static CauseRule either(LikelyCause cause, BiPredicate<String, String> fits) {
    return new CauseRule(cause, (a, b) -> fits.test(a, b) || fits.test(b, a));
  }

  /** The cause of the first rule that fits. */
  static Optional<LikelyCause> first(List<CauseRule> rules, String signed, String rebuilt) {
    return rules.stream()
        .filter(rule -> rule.fits.test(signed, rebuilt))
        .map(CauseRule::cause)
        .findFirst();
  }

  /**
   * The index of the first character that differs; the length of the shorter text if it is the
   * beginning of the longer one.
   */
  static int mismatch(String a, String b) {
    int end = Math.min(a.length(), b.length());
    int i = 0;
    while (i < end && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }
}
