package dev.countersign.server.portal.requests;

import dev.countersign.signatures.diagnosis.BaseDifference;
import dev.countersign.signatures.diagnosis.LikelyCause;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing the caller's signature base with the service's.
 *
 * @param place the first difference; null if there is none to show
 */
record BaseComparison(Verdict verdict, @Nullable Place place) {
  /**
   * Maximum size of a pasted base in bytes: four times the largest base that a request's header can
   * produce.
   */
  static final int MOST = 64 * 1024;

  enum Verdict {
    EMPTY,
    TOO_LARGE,
    EQUAL,
    DIFFERENT
  }

  /**
   * The first difference.
   *
   * @param component the component at the beginning of the line; null if it names none
   * @param signed the caller's line
   * @param rebuilt the service's line
   * @param cause what happened and how to fix it; null if the lines do not show it
   */
  record Place(
      int line,
      int column,
      @Nullable String component,
      MarkedLine signed,
      MarkedLine rebuilt,
      @Nullable String cause) {}

  /** Compares a base from a form with the one that the service built. */
  static BaseComparison of(String pasted, String rebuilt) {
    // A form sends each line break as CR LF, whatever was pasted.
    String signed = pasted.replace("\r\n", "\n");
    if (signed.isBlank()) {
      return new BaseComparison(Verdict.EMPTY, null);
    }
    if (signed.getBytes(StandardCharsets.UTF_8).length > MOST) {
      return new BaseComparison(Verdict.TOO_LARGE, null);
    }
    return BaseDifference.between(signed, rebuilt)
        .map(difference -> new BaseComparison(Verdict.DIFFERENT, place(difference)))
        .orElseGet(() -> new BaseComparison(Verdict.EQUAL, null));
  }

  private static Place place(BaseDifference difference) {
    Optional<String> signed = difference.signedLine();
    Optional<String> rebuilt = difference.rebuiltLine();
    return new Place(
        difference.line(),
        difference.column(),
        difference.component().map(Visible::of).orElse(null),
        MarkedLine.of(signed.orElse(null), rebuilt.orElse(null)),
        MarkedLine.of(rebuilt.orElse(null), signed.orElse(null)),
        difference.likelyCause().map(LikelyCause::sentence).orElse(null));
  }
}
