package dev.countersign.server.portal.requests;

import dev.countersign.signatures.diagnosis.BaseDifference;
import dev.countersign.signatures.diagnosis.LikelyCause;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of comparing the caller's signature base with the service's.
 *
 * @param place where the first difference is; null where there is none to show
 */
record Comparison(Verdict verdict, @Nullable Place place) {
  /** How much is compared, in bytes: four times what a request's header can make of a base. */
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
   * @param component as the line begins; null where it names none
   * @param signed the caller's line
   * @param rebuilt the service's line
   * @param cause what happened and what mends it; null where the lines do not show it
   */
  record Place(
      int line,
      int column,
      @Nullable String component,
      MarkedLine signed,
      MarkedLine rebuilt,
      @Nullable String cause) {}

  /** Compares a base as a form sent it with the one that the service built. */
  static Comparison of(String pasted, String rebuilt) {
    // A form sends each line break as CR LF, whatever was pasted.
    String signed = pasted.replace("\r\n", "\n");
    if (signed.isBlank()) {
      return new Comparison(Verdict.EMPTY, null);
    }
    if (signed.getBytes(StandardCharsets.UTF_8).length > MOST) {
      return new Comparison(Verdict.TOO_LARGE, null);
    }
    return BaseDifference.between(signed, rebuilt)
        .map(difference -> new Comparison(Verdict.DIFFERENT, place(difference)))
        .orElseGet(() -> new Comparison(Verdict.EQUAL, null));
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
