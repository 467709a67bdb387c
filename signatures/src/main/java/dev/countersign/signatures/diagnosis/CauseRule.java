package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** A possible cause of a difference between two texts, and a test of whether the texts show it. */
record CauseRule(LikelyCause cause, BiPredicate<String, String> fits) {

  /** A rule that fits if the view turns both texts into the same value. */
  static CauseRule same(LikelyCause cause, Function<String, ?> view) {
    return new CauseRule(
        cause, (signed, rebuilt) -> view.apply(signed).equals(view.apply(rebuilt)));
  }

  /** A rule that fits if the texts pass the test in either order. */
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
   * The index of the first character that differs, or the length of the shorter text if one text is
   * a prefix of the other.
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
