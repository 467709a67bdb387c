package dev.countersign.signatures.diagnosis;

import dev.countersign.signatures.base.SignatureBase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first difference between two signature bases, which explains why a signature does not verify
 * (RFC 9421 section 2.5).
 *
 * <p>One base is the signer's. The other is the verifier's, often a copy from a log or a problem
 * document. A copy may have CR LF between its lines, a line break at its end or JSON escapes. Such
 * differences are reported only if the bases have no other difference.
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
   * Compares two bases, in time proportional to their length.
   *
   * @param signed the base that the signer signed
   * @param rebuilt the base that the verifier built from what it received
   * @return the difference; empty if the texts are equal. If the signature then still does not
   *     verify, the private key and the public key are not a pair.
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

  /** Like {@link #between(String, String)}, but takes {@link SignatureBase} objects. */
  public static Optional<BaseDifference> between(SignatureBase signed, SignatureBase rebuilt) {
    return between(signed.text(), rebuilt.text());
  }

  /** The number of the differing line, counted from 1. */
  public int line() {
    return lines.index() + 1;
  }

  /** The column of the first differing character in the line, counted from 1. */
  public int column() {
    return index() + 1;
  }

  /**
   * The component of the line as written, such as {@code "content-digest";req}. If the two lines
   * name different components, this is the signer's component. Empty if neither line names a
   * component.
   */
  public Optional<String> component() {
    return lines
        .signedLine()
        .filter(BaseLine::isWellFormed)
        .or(lines::rebuiltLine)
        .filter(BaseLine::isWellFormed)
        .map(BaseLine::identifier);
  }

  /** The signer's line; empty if the signer's base ends before this line. */
  public Optional<String> signedLine() {
    return lines.signedLine().map(BaseLine::text);
  }

  /** The verifier's line; empty if the verifier's base ends before this line. */
  public Optional<String> rebuiltLine() {
    return lines.rebuiltLine().map(BaseLine::text);
  }

  /** The likely cause of the difference; empty if the lines do not show a cause. */
  public Optional<LikelyCause> likelyCause() {
    return Optional.ofNullable(likelyCause);
  }

  /**
   * Both lines with a caret under the first difference, and the likely cause, for a terminal. Long
   * lines are cut around the difference; characters that are not printable ASCII are shown by name.
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

  /** Returns the drawing. */
  @Override
  public String toString() {
    return drawing();
  }
}
