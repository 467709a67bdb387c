package dev.countersign.signatures;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.InnerList;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** The rule for labels, which are keys of a dictionary (RFC 9421 section 4). */
final class Label {
  private static final int MAX_LABELS_SHOWN = 5;
  private static final int MAX_LENGTH_SHOWN = 40;

  private Label() {}

  /**
   * @throws IllegalArgumentException for an invalid label
   */
  static String check(String label) {
    return Dictionary.of(Map.of(label, InnerList.of())).keys().iterator().next();
  }

  /**
   * Lists labels for an error message: only the first few labels, and only the beginning of long
   * labels.
   */
  static String list(Collection<String> labels) {
    if (labels.isEmpty()) {
      return "none";
    }
    int more = labels.size() - MAX_LABELS_SHOWN;
    return labels.stream()
        .limit(MAX_LABELS_SHOWN)
        .map(
            label ->
                label.length() > MAX_LENGTH_SHOWN
                    ? label.substring(0, MAX_LENGTH_SHOWN) + "..."
                    : label)
        .collect(Collectors.joining(", ", "", more > 0 ? " and " + more + " more" : ""));
  }
}
