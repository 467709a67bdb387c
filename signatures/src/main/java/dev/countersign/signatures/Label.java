package dev.countersign.signatures;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.InnerList;
import java.util.Map;

/** The rule for labels, which are keys of a dictionary (RFC 9421 section 4). */
final class Label {
  private Label() {}

  /**
   * @throws IllegalArgumentException for what cannot be a label
   */
  static String check(String label) {
    return Dictionary.of(Map.of(label, InnerList.of())).keys().iterator().next();
  }
}
