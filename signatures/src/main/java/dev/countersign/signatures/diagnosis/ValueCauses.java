package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;

/**
 * Finds out why a component has different values in two bases, by rules for each kind of component.
 */
final class ValueCauses {
  private static final List<CauseRule> EVERY_VALUE =
      List.of(new CauseRule(LikelyCause.NOT_ASCII, ValueCauses::differOutsidePrintableAscii));

  private static final List<CauseRule> METHOD =
      List.of(
          new CauseRule(LikelyCause.METHOD_CASE, String::equalsIgnoreCase),
          new CauseRule(LikelyCause.METHOD_DIFFERS, (a, b) -> isMethod(a) && isMethod(b)));

  private ValueCauses() {}

  static Optional<LikelyCause> of(String name, String signed, String rebuilt) {
    return CauseRule.first(EVERY_VALUE, signed, rebuilt)
        .or(() -> ofComponent(name, signed, rebuilt))
        .or(() -> FieldCauses.whiteSpace(signed, rebuilt));
  }

  private static Optional<LikelyCause> ofComponent(String name, String signed, String rebuilt) {
    return switch (name) {
      case "@method" -> CauseRule.first(METHOD, signed, rebuilt);
      case "@target-uri", "@request-target" -> UriCauses.ofUri(signed, rebuilt);
      case "@scheme" -> UriCauses.ofScheme(signed, rebuilt);
      case "@authority", "host" -> UriCauses.ofAuthority("", signed, rebuilt);
      case "@path" -> UriCauses.ofPath(signed, rebuilt);
      case "@query" -> UriCauses.ofQuery(signed, rebuilt);
      case "@query-param" -> CauseRule.first(Percent.QUERY_RULES, signed, rebuilt);
      case "@signature-params" -> ParameterCauses.of(signed, rebuilt);
      case "date" -> TimeCauses.ofDates(signed, rebuilt);
      default -> name.startsWith("@") ? Optional.empty() : FieldCauses.of(name, signed, rebuilt);
    };
  }

  private static boolean differOutsidePrintableAscii(String signed, String rebuilt) {
    int i = CauseRule.mismatch(signed, rebuilt);
    return isOutsidePrintableAscii(signed, i) || isOutsidePrintableAscii(rebuilt, i);
  }

  private static boolean isOutsidePrintableAscii(String value, int i) {
    return i < value.length() && value.charAt(i) != '\t' && !Drawing.isPrintable(value.charAt(i));
  }

  private static boolean isMethod(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> c >= 'A' && c <= 'Z');
  }
}
