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
 * The Want-Content-Digest and Want-Repr-Digest fields: the digests that the sender would like to
 * receive in Content-Digest or Repr-Digest. In a request, the fields ask for digests in the
 * response; in a response, they ask for digests in later requests. The fields are hints: the other
 * side may send a different digest, or none.
 *
 * @param weights the preference for each algorithm: 1 is the lowest, 10 the highest, and 0 means
 *     not acceptable; an algorithm is missing if the sender stated no preference for it
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
   * Reads a Want-Content-Digest or Want-Repr-Digest field. Members for algorithms that are not a
   * {@link DigestAlgorithm} must be well-formed as well, but are then ignored.
   *
   * @param lines every line of the field
   * @throws DigestFieldException when a member is not an integer from 0 to 10, or occurs twice
   */
  public static DigestPreferences parse(List<String> lines) {
    Dictionary members = DigestMembers.dictionary(lines);
    if (!members.repeatedKeys().isEmpty()) {
      throw new DigestFieldException(MALFORMED, "each algorithm must occur once, one occurs twice");
    }
    // RFC 9651 2.2: one member that breaks the field's rules makes the whole field invalid.
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
   * The algorithm to use for the answer: the one with the highest weight, or sha-256 if both
   * algorithms have the same weight. Empty if no algorithm is acceptable.
   */
  public Optional<DigestAlgorithm> preferred() {
    // Sorting is stable, so equal weights stay in the enum's order. Stream.max could return either.
    return weights.entrySet().stream()
        .filter(preference -> preference.getValue() != NOT_ACCEPTABLE)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The field's value, such as {@code sha-256=10, sha-512=3}; do not send it if it is empty. */
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
