package dev.countersign.signatures.diagnosis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds out why two lines of {@code @signature-params} differ (RFC 9421 section 2.3). */
final class ParameterCauses {
  // RFC 9651 section 3.1.2: the characters of a key.
  private static final Pattern LABEL = Pattern.compile("[a-z*][a-z0-9_.*-]*+=\\(.*");

  private ParameterCauses() {}

  static Optional<LikelyCause> of(String signed, String rebuilt) {
    if (LABEL.matcher(signed).matches() != LABEL.matcher(rebuilt).matches()) {
      return Optional.of(LikelyCause.LABEL_KEPT);
    }
    int a = Unquoted.indexOf(')', signed, 0);
    int b = Unquoted.indexOf(')', rebuilt, 0);
    if (a < 0 || b < 0 || !signed.startsWith("(") || !rebuilt.startsWith("(")) {
      return Optional.empty();
    }
    return ofLists(signed.substring(0, a), rebuilt.substring(0, b))
        .or(() -> ofParameters(signed.substring(a + 1), rebuilt.substring(b + 1)));
  }

  private static Optional<LikelyCause> ofLists(String signed, String rebuilt) {
    if (signed.equals(rebuilt)) {
      return Optional.empty();
    }
    // All earlier lines of the two bases are equal, so one of the two lists does not match the
    // lines of its base.
    return Optional.of(
        names(signed).equals(names(rebuilt))
            ? LikelyCause.PARAMETER_SPACING
            : LikelyCause.LINES_UNLIKE_LIST);
  }

  private static List<String> names(String list) {
    return Unquoted.split(list.substring(1), ' ').stream().filter(name -> !name.isEmpty()).toList();
  }

  private static Optional<LikelyCause> ofParameters(String signed, String rebuilt) {
    Map<String, String> a = read(signed);
    Map<String, String> b = read(rebuilt);
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.empty();
    }
    if (!a.keySet().equals(b.keySet())) {
      return Optional.of(LikelyCause.PARAMETER_MISSING);
    }
    if (!List.copyOf(a.keySet()).equals(List.copyOf(b.keySet()))) {
      return Optional.of(LikelyCause.PARAMETER_ORDER);
    }
    return a.keySet().stream()
        .filter(key -> !a.getOrDefault(key, "").equals(b.get(key)))
        .findFirst()
        .map(key -> ofValues(key, a.getOrDefault(key, ""), b.getOrDefault(key, "")))
        .orElse(Optional.of(LikelyCause.PARAMETER_SPACING));
  }

  private static Optional<LikelyCause> ofValues(String key, String signed, String rebuilt) {
    if (unquoted(signed).equals(unquoted(rebuilt))) {
      return Optional.of(LikelyCause.PARAMETER_QUOTES);
    }
    return switch (key) {
      case "created" -> TimeCauses.ofCreated(signed, rebuilt);
      case "keyid" -> Optional.of(LikelyCause.KEYID_DIFFERS);
      case "alg" -> Optional.of(LikelyCause.ALG_DIFFERS);
      default -> Optional.of(LikelyCause.PARAMETER_DIFFERS);
    };
  }

  private static String unquoted(String value) {
    return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  /**
   * The values by key; empty if the text is not a sequence of parameters, or a key occurs twice.
   */
  private static Map<String, String> read(String text) {
    List<String> parts = Unquoted.split(text, ';');
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int end = Unquoted.indexOf('=', part, 0);
      String key = (end < 0 ? part : part.substring(0, end)).strip();
      values.put(key, end < 0 ? "" : part.substring(end + 1).strip());
    }
    return parts.get(0).isEmpty() && values.size() == parts.size() - 1 ? values : Map.of();
  }
}
