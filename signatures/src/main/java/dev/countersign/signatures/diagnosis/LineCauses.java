package dev.countersign.signatures.diagnosis;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds out why a line differs between two bases: in its form, its component, or its value. */
final class LineCauses {
  private LineCauses() {}

  static Optional<LikelyCause> of(DifferingLines lines) {
    Optional<BaseLine> signed = lines.signedLine();
    Optional<BaseLine> rebuilt = lines.rebuiltLine();
    return signed.isPresent() && rebuilt.isPresent()
        ? ofBoth(signed.get(), rebuilt.get(), lines)
        : ofComponents(lines);
  }

  private static Optional<LikelyCause> ofBoth(
      BaseLine signed, BaseLine rebuilt, DifferingLines lines) {
    if (signed.text().equals(rebuilt.text() + '\r')
        || rebuilt.text().equals(signed.text() + '\r')) {
      return Optional.of(LikelyCause.CR_LF);
    }
    if (signed.isWellFormed() && rebuilt.isWellFormed()) {
      return ofWellFormed(signed, rebuilt, lines);
    }
    if (lines.index() > 0 && (signed.isContinuation() || rebuilt.isContinuation())) {
      return Optional.of(LikelyCause.FOLDED_VALUE);
    }
    return signed.isWellFormed() || rebuilt.isWellFormed()
        ? Optional.of(LikelyCause.LINE_FORM)
        : Optional.empty();
  }

  private static Optional<LikelyCause> ofWellFormed(
      BaseLine signed, BaseLine rebuilt, DifferingLines lines) {
    if (signed.identifier().equals(rebuilt.identifier())) {
      return lines.hasFoldedValue()
          ? Optional.of(LikelyCause.FOLDED_VALUE)
          : ValueCauses.of(signed.name(), signed.value(), rebuilt.value());
    }
    // RFC 9421 section 2.1: a field's name is in lower case.
    if (!signed.name().equals(rebuilt.name()) && signed.name().equalsIgnoreCase(rebuilt.name())) {
      return Optional.of(LikelyCause.COMPONENT_NAME_CASE);
    }
    return ofComponents(lines);
  }

  /** The cause if the lines are of different components, or if one base ends before this line. */
  private static Optional<LikelyCause> ofComponents(DifferingLines lines) {
    Set<String> signed = identifiers(lines.signed());
    Set<String> rebuilt = identifiers(lines.rebuilt());
    // If a line is malformed or occurs twice, the missing component could only be guessed.
    if (signed.size() < lines.signed().size() || rebuilt.size() < lines.rebuilt().size()) {
      return Optional.empty();
    }
    if (endsWithoutParameters(lines, signed, rebuilt)) {
      return Optional.of(LikelyCause.SIGNATURE_PARAMS_MISSING);
    }
    if (matchesOwnList(lines.signed()) != matchesOwnList(lines.rebuilt())) {
      return Optional.of(LikelyCause.LINES_UNLIKE_LIST);
    }
    boolean isSignedLineRebuilt = rebuilt.contains(identifier(lines.signedLine()));
    boolean isRebuiltLineSigned = signed.contains(identifier(lines.rebuiltLine()));
    if (isSignedLineRebuilt && isRebuiltLineSigned) {
      return Optional.of(LikelyCause.COMPONENT_ORDER);
    }
    if (!isSignedLineRebuilt
        && !isRebuiltLineSigned
        && name(lines.signedLine()).equals(name(lines.rebuiltLine()))) {
      return Optional.of(LikelyCause.COMPONENT_PARAMETERS);
    }
    return Optional.of(
        isSignedLineRebuilt || lines.signedLine().isEmpty()
            ? LikelyCause.COMPONENT_NOT_SIGNED
            : LikelyCause.COMPONENT_NOT_VERIFIED);
  }

  private static Set<String> identifiers(List<BaseLine> lines) {
    return lines.stream()
        .filter(BaseLine::isWellFormed)
        .map(BaseLine::identifier)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static String identifier(Optional<BaseLine> line) {
    return line.map(BaseLine::identifier).orElse("");
  }

  private static String name(Optional<BaseLine> line) {
    return line.map(BaseLine::name).orElse("");
  }

  private static boolean endsWithoutParameters(
      DifferingLines lines, Set<String> signed, Set<String> rebuilt) {
    String params = BaseLine.SIGNATURE_PARAMS;
    return signed.contains(params) != rebuilt.contains(params)
        && (identifier(lines.signedLine()).equals(params)
            || identifier(lines.rebuiltLine()).equals(params));
  }

  /**
   * Returns whether a base has exactly the lines that its last line lists, in that order (RFC 9421
   * section 2.5).
   */
  private static boolean matchesOwnList(List<BaseLine> lines) {
    BaseLine last = lines.get(lines.size() - 1);
    int end = Unquoted.indexOf(')', last.value(), 0);
    if (!last.isSignatureParams() || end < 0 || !last.value().startsWith("(")) {
      return false;
    }
    List<String> listed =
        Unquoted.split(last.value().substring(1, end), ' ').stream()
            .filter(part -> !part.isEmpty())
            .toList();
    return listed.equals(
        lines.stream().limit(lines.size() - 1L).map(BaseLine::identifier).toList());
  }
}
