package dev.countersign.signatures;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the signature of a message that a profile verifies (RFC 9421 sections 3.2 and 7.2.6).
 *
 * @param label the required label, whatever the tag; if empty, any label will do
 * @param passedOver labels to ignore when no label is required
 * @param tag the required tag; without a label, the signature is chosen by it
 */
record SignatureChoice(Optional<String> label, Set<String> passedOver, Optional<String> tag) {

  /**
   * @throws IllegalArgumentException for an impossible label or tag
   */
  SignatureChoice {
    Stream.concat(label.stream(), passedOver.stream()).forEach(Label::check);
    tag.ifPresent(StringItem::new);
    passedOver = Set.copyOf(passedOver);
  }

  /** Chooses the signature of a message that has exactly one. */
  static final SignatureChoice THE_ONLY_ONE =
      new SignatureChoice(Optional.empty(), Set.of(), Optional.empty());

  SignatureChoice withLabel(String wanted) {
    return new SignatureChoice(Optional.of(wanted), Set.of(), tag);
  }

  SignatureChoice withAnyLabelExcept(String... labels) {
    return new SignatureChoice(Optional.empty(), Set.of(labels), tag);
  }

  SignatureChoice withTag(String wanted) {
    return new SignatureChoice(label, passedOver, Optional.of(wanted));
  }

  /**
   * Returns the label of the signature to verify.
   *
   * @throws VerificationException {@link VerificationFailure#LABEL_MISSING} when there is none,
   *     {@link VerificationFailure#SIGNATURE_AMBIGUOUS} when there are several
   */
  String in(SignatureFields fields) {
    if (label.isPresent()) {
      return label.get();
    }
    List<String> candidates =
        fields.labels().stream()
            .filter(candidate -> !passedOver.contains(candidate))
            .filter(candidate -> tag.isEmpty() || tag.equals(fields.tag(candidate)))
            .toList();
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    String wanted = tag.isEmpty() ? "signature" : "signature with tag=\"" + tag.get() + '"';
    throw candidates.isEmpty()
        ? new VerificationException(
            VerificationFailure.LABEL_MISSING,
            "Signature-Input has no "
                + wanted
                + (passedOver.isEmpty() ? "" : " other than " + Label.list(passedOver))
                + "; labels found: "
                + Label.list(fields.labels()))
        : new VerificationException(
            VerificationFailure.SIGNATURE_AMBIGUOUS,
            "Signature-Input has more than one "
                + wanted
                + ", and only one is expected; it has "
                + Label.list(candidates));
  }
}
