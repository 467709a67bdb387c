package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;

/**
 * Two bases that differ, and their first differing line.
 *
 * @param index the index of the first differing line in both bases; one base may end before that
 *     line
 */
record DifferingLines(List<BaseLine> signed, List<BaseLine> rebuilt, int index) {

  static DifferingLines of(String signed, String rebuilt) {
    List<BaseLine> a = BaseLine.linesOf(signed);
    List<BaseLine> b = BaseLine.linesOf(rebuilt);
    int end = Math.min(a.size(), b.size());
    int index = 0;
    while (index < end && a.get(index).text().equals(b.get(index).text())) {
      index++;
    }
    return new DifferingLines(a, b, index);
  }

  Optional<BaseLine> signedLine() {
    return line(signed, index);
  }

  Optional<BaseLine> rebuiltLine() {
    return line(rebuilt, index);
  }

  /** Returns whether a value is on two lines in one base and on one line in the other. */
  boolean hasFoldedValue() {
    return hasFoldedValue(signed, rebuilt) || hasFoldedValue(rebuilt, signed);
  }

  private boolean hasFoldedValue(List<BaseLine> folded, List<BaseLine> whole) {
    return line(folded, index + 1).filter(BaseLine::isContinuation).isPresent()
        && line(whole, index).get().value().startsWith(line(folded, index).get().value());
  }

  private static Optional<BaseLine> line(List<BaseLine> lines, int index) {
    return index < lines.size() ? Optional.of(lines.get(index)) : Optional.empty();
  }
}
