package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Member;
import java.util.Set;

/**
 * Keys that occur twice in a structured field.
 *
 * <p>Design note: RFC 9651 keeps only the last value of a repeated key, so the canonical text that
 * is signed does not show the other values. Anyone who forwards the message could insert another
 * value before the last one, and a handler that reads the first value would read one that nobody
 * signed. A field with a repeated key therefore cannot be covered here.
 */
final class DuplicateKeys {
  private DuplicateKeys() {}

  /**
   * @throws IllegalArgumentException when a key of the dictionary or of its members occurs twice
   */
  static void refuseIn(Dictionary dictionary) {
    refuse(dictionary.repeatedKeys());
    dictionary.asMap().values().forEach(DuplicateKeys::refuseIn);
  }

  /**
   * @throws IllegalArgumentException when a parameter of the member occurs twice
   */
  static void refuseIn(Member member) {
    refuse(member.parameters().repeatedKeys());
    if (member instanceof InnerList list) {
      list.items().forEach(item -> refuse(item.parameters().repeatedKeys()));
    }
  }

  private static void refuse(Set<String> repeated) {
    if (!repeated.isEmpty()) {
      throw new IllegalArgumentException(
          "the key " + repeated.iterator().next() + " occurs twice in its value");
    }
  }
}
