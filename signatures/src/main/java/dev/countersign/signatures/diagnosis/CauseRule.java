package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Two texts that are known to differ fit a rule when they show its cause. */
record CauseRule(LikelyCause cause, BiPredicate<String, String> fits) {

  /** Fits when both texts come to the same. */
  static CauseRule same(LikelyCause cause, Function<String, ?> view) {
    return new CauseRule(
        cause, (signed, rebuilt) -> view.apply(signed).equals(view.apply(rebuilt)));
  }

  /** Fits in one direction or the other. */
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

  /** The index of the first character that differs; the shorter length where there is none. */
  static int mismatch(String a, String b) {
    int end = Math.min(a.length(), b.length());
    int i = 0;
    while (i < end && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }
}
