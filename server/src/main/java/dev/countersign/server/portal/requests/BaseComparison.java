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
   * Maximum size of a pasted base in bytes: four times the size of the largest base that the header
   * of a request can produce.
   */
  static final int MAX_BYTES = 64 * 1024;

  enum Verdict {
    EMPTY,
    TOO_LARGE,
    EQUAL,
    DIFFERENT
  }

  /**
   * The first difference.
   *
   * @param component the component that the line begins with; null if there is none
   * @param signed the caller's line
   * @param rebuilt the service's line
   * @param cause the likely cause and the fix; null if the lines do not reveal a cause
   */
  record Place(
      int line,
      int column,
      @Nullable String component,
      MarkedLine signed,
      MarkedLine rebuilt,
      @Nullable String cause) {}

  /** Compares a base that was pasted into a form with the base that the service built. */
  static BaseComparison of(String pasted, String rebuilt) {
    // A form sends each line break as CR LF, even if the pasted text had LF.
    String signed = pasted.replace("\r\n", "\n");
    if (signed.isBlank()) {
      return new BaseComparison(Verdict.EMPTY, null);
    }
    if (signed.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
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
        difference.component().map(VisibleText::of).orElse(null),
        MarkedLine.of(signed.orElse(null), rebuilt.orElse(null)),
        MarkedLine.of(rebuilt.orElse(null), signed.orElse(null)),
        difference.likelyCause().map(LikelyCause::sentence).orElse(null));
  }
}
