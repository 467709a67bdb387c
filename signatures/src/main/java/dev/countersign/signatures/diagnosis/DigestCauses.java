package dev.countersign.signatures.diagnosis;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import java.util.Map;
import java.util.Optional;

/** Finds out why two digests of a body differ (RFC 9530 sections 2 and 3). */
final class DigestCauses {
  /** The digests of an empty body: first SHA-256, then SHA-512. */
  private static final String[] EMPTY_BODY_DIGESTS = {
    ":47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
    ":z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==:"
  };

  private DigestCauses() {}

  static Optional<LikelyCause> of(String signed, String rebuilt) {
    Map<String, Member> a = read(signed);
    Map<String, Member> b = read(rebuilt);
    if (a.isEmpty() && b.isEmpty()) {
      return Optional.empty();
    }
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.of(LikelyCause.DIGEST_FORM);
    }
    if (!a.keySet().equals(b.keySet())) {
      return Optional.of(LikelyCause.DIGEST_ALGORITHM);
    }
    if (a.equals(b)) {
      return Optional.empty();
    }
    return Optional.of(
        hasEmptyBodyDigest(signed) != hasEmptyBodyDigest(rebuilt)
            ? LikelyCause.BODY_EMPTY
            : LikelyCause.BODY_DIFFERS);
  }

  private static boolean hasEmptyBodyDigest(String value) {
    return value.contains(EMPTY_BODY_DIGESTS[0]) || value.contains(EMPTY_BODY_DIGESTS[1]);
  }

  /** The digests by algorithm; empty if the value is not a dictionary of digests. */
  private static Map<String, Member> read(String value) {
    try {
      // RFC 9421 section 2.1.2: if the component has the parameter key, its line contains only the
      // value of one member, without the member's name.
      Map<String, Member> members =
          Dictionary.parse(value.startsWith(":") ? "key=" + value : value).asMap();
      return members.values().stream().allMatch(DigestCauses::isDigest) ? members : Map.of();
    } catch (FieldParseException e) {
      return Map.of();
    }
  }

  private static boolean isDigest(Member member) {
    return member instanceof Item item && item.value() instanceof ByteSequence;
  }
}
