package dev.countersign.signatures;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Member;
import java.util.Set;

/**
 * Keys that stand twice in a structured field.
 *
 * <p>Design note: RFC 9651 lets the last one win, and so the canonical text that is signed does not
 * show the others. Whoever forwards the message could put one in front, and a handler that takes
 * the first would read what nobody signed. So a repeated key cannot be covered here.
 */
final class Repetition {
  private Repetition() {}

  /**
   * @throws IllegalArgumentException when a key of the dictionary or of its members stands twice
   */
  static void refuseIn(Dictionary dictionary) {
    refuse(dictionary.repeatedKeys());
    dictionary.asMap().values().forEach(Repetition::refuseIn);
  }

  /**
   * @throws IllegalArgumentException when a parameter of the member stands twice
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
          "the key " + repeated.iterator().next() + " stands twice in its value");
    }
  }
}
