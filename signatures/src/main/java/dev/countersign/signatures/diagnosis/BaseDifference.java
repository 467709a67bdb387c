package dev.countersign.signatures.diagnosis;

import dev.countersign.signatures.SignatureBase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first difference between two signature bases: the reason why a signature does not verify (RFC
 * 9421 section 2.5).
 *
 * <p>One base is the signer's, the other the verifier's, which often comes as a copy out of a log
 * or a problem document. A copy with CR LF between the lines, a line break at the end or the
 * escapes of JSON is compared by what it means; such traces count only where nothing else differs.
 *
 * <pre>
 * line 1, "@target-uri", column 56:
 *   signed   "@target-uri": https://api.example.com/ledger?sort=name,asc
 *   rebuilt  "@target-uri": https://api.example.com/ledger?sort=name%2Casc
 *                                                                   ^
 *   the query was re-encoded on the way: send it as signed, byte for byte
 * </pre>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421#section-2.5">RFC 9421 2.5</a>
 */
public final class BaseDifference {
  private final DifferingLines lines;
  private final @Nullable LikelyCause likelyCause;

  private BaseDifference(DifferingLines lines, Optional<LikelyCause> likelyCause) {
    this.lines = lines;
    this.likelyCause = likelyCause.orElse(null);
  }

  /**
   * Compares two bases; the time that it takes grows with their length alone.
   *
   * @param signed the base that the signer signed
   * @param rebuilt the base that the verifier built from what it received
   * @return empty where the texts are equal: then the two keys are no pair
   */
  public static Optional<BaseDifference> between(String signed, String rebuilt) {
    if (signed.equals(rebuilt)) {
      return Optional.empty();
    }
    BaseText a = BaseText.read(signed);
    BaseText b = BaseText.read(rebuilt);
    if (a.text().equals(b.text())) {
      return Optional.of(
          new BaseDifference(
              DifferingLines.of(signed, rebuilt), Optional.of(BaseText.causeOf(a, b))));
    }
    DifferingLines lines = DifferingLines.of(a.text(), b.text());
    return Optional.of(new BaseDifference(lines, LineCauses.of(lines)));
  }

  /** As the other method, for two bases that are both at hand. */
  public static Optional<BaseDifference> between(SignatureBase signed, SignatureBase rebuilt) {
    return between(signed.text(), rebuilt.text());
  }

  /** The number of the line, from 1. */
  public int line() {
    return lines.index() + 1;
  }

  /** The number of the first character that differs in the line, from 1. */
  public int column() {
    return index() + 1;
  }

  /**
   * The component of the line as it is written, such as {@code "content-digest";req}; the signer's
   * where the two differ, and empty where the line names none.
   */
  public Optional<String> component() {
    return lines
        .signedLine()
        .filter(BaseLine::isWellFormed)
        .or(lines::rebuiltLine)
        .filter(BaseLine::isWellFormed)
        .map(BaseLine::identifier);
  }

  /** The signer's line; empty where its base ends before. */
  public Optional<String> signedLine() {
    return lines.signedLine().map(BaseLine::text);
  }

  /** The verifier's line; empty where its base ends before. */
  public Optional<String> rebuiltLine() {
    return lines.rebuiltLine().map(BaseLine::text);
  }

  /** Why the lines differ, where they show it. */
  public Optional<LikelyCause> likelyCause() {
    return Optional.ofNullable(likelyCause);
  }

  /**
   * Both lines with a caret under the first difference, and the likely cause, for a terminal. Long
   * lines are cut around the difference; what is not printable ASCII is shown by its name.
   */
  public String drawing() {
    return "line "
        + line()
        + component().map(component -> ", " + Drawing.inline(component)).orElse("")
        + ", column "
        + column()
        + ":\n"
        + Drawing.ofLines(signedLine().orElse(""), rebuiltLine().orElse(""), index())
        + Drawing.sentence(likelyCause());
  }

  private int index() {
    return CauseRule.mismatch(signedLine().orElse(""), rebuiltLine().orElse(""));
  }

  /** The drawing. */
  @Override
  public String toString() {
    return drawing();
  }
}
