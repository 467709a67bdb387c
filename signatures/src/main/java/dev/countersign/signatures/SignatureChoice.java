package dev.countersign.signatures;

import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Optional;

/**
 * Which of a message's signatures a profile looks at (RFC 9421 sections 3.2 and 7.2.6).
 *
 * @param label the label that it has, whatever its tag
 * @param tag the tag that it has; with no label, the signature is chosen by it
 */
record SignatureChoice(Optional<String> label, Optional<String> tag) {

  /**
   * @throws IllegalArgumentException for a label or a tag that no message can have
   */
  SignatureChoice {
    label.ifPresent(Label::check);
    tag.ifPresent(StringItem::new);
  }

  /** The one signature of a message that has no other. */
  static final SignatureChoice THE_ONLY_ONE =
      new SignatureChoice(Optional.empty(), Optional.empty());

  /**
   * The label of the signature to verify.
   *
   * @throws VerificationException {@link Failure#LABEL_MISSING} when there is none, {@link
   *     Failure#SIGNATURE_AMBIGUOUS} when there are several
   */
  String in(SignatureFields fields) {
    if (label.isPresent()) {
      return label.get();
    }
    List<String> candidates =
        fields.labels().stream()
            .filter(candidate -> tag.isEmpty() || tag.equals(fields.tag(candidate)))
            .limit(2)
            .toList();
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    String wanted = tag.isEmpty() ? "signature" : "signature with tag=\"" + tag.get() + '"';
    throw candidates.isEmpty()
        ? new VerificationException(Failure.LABEL_MISSING, "Signature-Input has no " + wanted)
        : new VerificationException(
            Failure.SIGNATURE_AMBIGUOUS,
            "Signature-Input has more than one " + wanted + ", and only one is expected");
  }
}
