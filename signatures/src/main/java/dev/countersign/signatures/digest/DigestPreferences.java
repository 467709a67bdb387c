package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestFieldException.Reason.MALFORMED;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.IntegerItem;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The Want-Content-Digest and Want-Repr-Digest fields: which digests the sender would like to get
 * in Content-Digest or Repr-Digest, on the answer to this request or on the requests after this
 * answer. It is a hint: sending another digest, or none, breaks no rule.
 *
 * @param weights how much each algorithm is wanted: 1 the least, 10 the most, 0 not acceptable; the
 *     sender says nothing of those that are missing
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-4">RFC 9530 4</a>
 */
public record DigestPreferences(Map<DigestAlgorithm, Integer> weights) {
  private static final int NOT_ACCEPTABLE = 0;
  private static final int MOST_PREFERRED = 10;

  /**
   * @throws IllegalArgumentException if a weight is not 0 to 10
   */
  public DigestPreferences {
    Map<DigestAlgorithm, Integer> copy = new EnumMap<>(DigestAlgorithm.class);
    copy.putAll(weights);
    copy.forEach(
        (algorithm, weight) -> {
          if (!isWeight(weight)) {
            throw new IllegalArgumentException(
                "the weight of " + algorithm.key() + " must be 0 to 10, was " + weight);
          }
        });
    weights = Collections.unmodifiableMap(copy);
  }

  /**
   * Reads either field. Algorithms that are not a {@link DigestAlgorithm} have to be well-formed,
   * and are then left out.
   *
   * @param lines every line of the field
   * @throws DigestFieldException when a member is no integer from 0 to 10, or comes twice
   */
  public static DigestPreferences parse(List<String> lines) {
    Dictionary members = DigestMembers.dictionary(lines);
    if (!members.repeatedKeys().isEmpty()) {
      throw new DigestFieldException(MALFORMED, "an algorithm must come once, one came twice");
    }
    // RFC 9651 2.2: one member that breaks the field's rules spoils the field.
    members.asMap().values().forEach(DigestPreferences::weight);
    Map<DigestAlgorithm, Integer> weights = new EnumMap<>(DigestAlgorithm.class);
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      members.get(algorithm.key()).ifPresent(member -> weights.put(algorithm, weight(member)));
    }
    return new DigestPreferences(weights);
  }

  private static int weight(Member member) {
    if (member instanceof Item item
        && item.value() instanceof IntegerItem integer
        && isWeight(integer.value())) {
      return (int) integer.value();
    }
    throw new DigestFieldException(MALFORMED, "a preference must be an integer from 0 to 10");
  }

  private static boolean isWeight(long weight) {
    return weight >= NOT_ACCEPTABLE && weight <= MOST_PREFERRED;
  }

  /**
   * The algorithm to send, the most wanted of ours, and of two that are wanted equally sha-256;
   * empty when none of ours is acceptable.
   */
  public Optional<DigestAlgorithm> preferred() {
    // Sorting is stable, so equals stay in the order of the enum; max could take either.
    return weights.entrySet().stream()
        .filter(preference -> preference.getValue() != NOT_ACCEPTABLE)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The field's value, such as {@code sha-256=10, sha-512=3}; when empty, do not send it. */
  public String serialize() {
    return weights.entrySet().stream()
        .map(preference -> preference.getKey().key() + "=" + preference.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return serialize();
  }
}
