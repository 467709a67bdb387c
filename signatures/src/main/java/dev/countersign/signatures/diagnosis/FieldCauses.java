package dev.countersign.signatures.diagnosis;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds out why two values of a field differ (RFC 9421 section 2.1). */
final class FieldCauses {
  private static final Pattern WHITE_SPACE = Pattern.compile("[ \t]");

  private static final List<CauseRule> FIELD =
      List.of(
          new CauseRule(LikelyCause.FIELD_JOINED, FieldCauses::differInJoining),
          CauseRule.either(LikelyCause.FIELD_LINE_MISSING, FieldCauses::hasMoreParts),
          new CauseRule(LikelyCause.MEMBER_ORDER, FieldCauses::differInOrder),
          new CauseRule(LikelyCause.FIELD_CASE, String::equalsIgnoreCase));

  private static final List<CauseRule> MEDIA_TYPE =
      List.of(CauseRule.either(LikelyCause.MEDIA_TYPE_PARAMETER, FieldCauses::hasMoreParameters));

  private FieldCauses() {}

  static Optional<LikelyCause> of(String name, String signed, String rebuilt) {
    Optional<LikelyCause> specificCause =
        switch (name) {
          case "content-digest", "repr-digest" -> DigestCauses.of(signed, rebuilt);
          case "content-type" -> CauseRule.first(MEDIA_TYPE, signed, rebuilt);
          default -> Optional.empty();
        };
    return specificCause.or(() -> CauseRule.first(FIELD, signed, rebuilt));
  }

  static Optional<LikelyCause> whiteSpace(String signed, String rebuilt) {
    CauseRule rule = CauseRule.same(LikelyCause.WHITE_SPACE, FieldCauses::withoutWhiteSpace);
    return CauseRule.first(List.of(rule), signed, rebuilt);
  }

  private static String withoutWhiteSpace(String value) {
    return WHITE_SPACE.matcher(value).replaceAll("");
  }

  private static List<String> parts(String value) {
    return Unquoted.split(value, ',');
  }

  private static boolean differInJoining(String a, String b) {
    return !a.strip().equals(b.strip()) && parts(a).equals(parts(b));
  }

  private static boolean differInOrder(String a, String b) {
    return !parts(a).equals(parts(b))
        && parts(a).stream().sorted().toList().equals(parts(b).stream().sorted().toList());
  }

  /**
   * Returns whether the longer value has all parts of the shorter value, and more parts before or
   * after them.
   */
  private static boolean hasMoreParts(String longer, String shorter) {
    List<String> all = parts(longer);
    List<String> fewer = parts(shorter);
    int more = all.size() - fewer.size();
    return more > 0
        && (all.subList(0, fewer.size()).equals(fewer)
            || all.subList(more, all.size()).equals(fewer));
  }

  private static boolean hasMoreParameters(String longer, String shorter) {
    return shorter.indexOf(';') < 0
        && longer.length() > shorter.length()
        && longer
            .substring(0, Math.max(0, longer.indexOf(';')))
            .strip()
            .equalsIgnoreCase(shorter.strip());
  }
}
