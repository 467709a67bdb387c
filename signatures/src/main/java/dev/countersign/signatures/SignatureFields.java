package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The fields Signature-Input and Signature of a message (RFC 9421 section 4). Both fields must be
 * dictionaries in which no label occurs twice. Apart from that, only the members of the chosen
 * signature are examined.
 *
 * <p>Design note: RFC 9421 section 4.1 lets a signer send these fields as trailers. This class
 * reads them only from the header section, because a signature that follows the body cannot protect
 * the body while it is being read.
 */
final class SignatureFields {
  private static final String INPUT = "Signature-Input";
  private static final String SIGNATURE = "Signature";

  private final Dictionary inputs;
  private final Dictionary signatures;

  private SignatureFields(Dictionary inputs, Dictionary signatures) {
    this.inputs = inputs;
    this.signatures = signatures;
  }

  /**
   * Reads the two fields of a message.
   *
   * @throws VerificationException {@link VerificationFailure#SIGNATURE_MISSING} or {@link
   *     VerificationFailure#SIGNATURE_MALFORMED}
   */
  static SignatureFields of(HttpMessage message) {
    List<String> inputLines = message.fieldLines("signature-input");
    List<String> signatureLines = message.fieldLines("signature");
    if (inputLines.isEmpty() || signatureLines.isEmpty()) {
      throw new VerificationException(
          VerificationFailure.SIGNATURE_MISSING,
          "the "
              + (message instanceof RequestMessage ? "request" : "response")
              + " has no "
              + (inputLines.isEmpty() ? INPUT : SIGNATURE)
              + " header; send both Signature-Input and Signature");
    }
    return new SignatureFields(parse(INPUT, inputLines), parse(SIGNATURE, signatureLines));
  }

  private static Dictionary parse(String field, List<String> lines) {
    Dictionary members;
    try {
      members = Dictionary.parse(lines);
    } catch (FieldParseException e) {
      throw VerificationException.unreadable(VerificationFailure.SIGNATURE_MALFORMED, field, e);
    }
    // RFC 9421 section 4: a label is unique within a message.
    if (!members.repeatedKeys().isEmpty()) {
      throw malformed(
          field, "two members have the label " + members.repeatedKeys().iterator().next());
    }
    return members;
  }

  /** The labels in Signature-Input, in their order. */
  Set<String> labels() {
    return inputs.keys();
  }

  /** The tag of a signature; empty if there is no tag or the tag is not a string. */
  Optional<String> tag(String label) {
    return inputs
        .get(label)
        .flatMap(member -> member.parameters().get("tag"))
        .filter(StringItem.class::isInstance)
        .map(tag -> ((StringItem) tag).value());
  }

  /**
   * The components that a signature claims to cover.
   *
   * @throws VerificationException {@link VerificationFailure#LABEL_MISSING} or {@link
   *     VerificationFailure#SIGNATURE_MALFORMED}
   */
  List<ComponentIdentifier> components(String label) {
    if (!(member(INPUT, inputs, label) instanceof InnerList list)) {
      throw malformed(INPUT, label + " must be a list in parentheses");
    }
    try {
      return SignatureInput.componentsOf(list);
    } catch (IllegalArgumentException e) {
      throw malformed(INPUT, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The parameters of a signature, whatever their names and types.
   *
   * @throws VerificationException {@link VerificationFailure#LABEL_MISSING}
   */
  Parameters parameters(String label) {
    return member(INPUT, inputs, label).parameters();
  }

  /** The components and parameters of a signature as spelled in Signature-Input. */
  String signatureParams(String label) {
    return inputs.textOf(label).orElseThrow();
  }

  /**
   * The bytes of a signature.
   *
   * @throws VerificationException {@link VerificationFailure#LABEL_MISSING} or {@link
   *     VerificationFailure#SIGNATURE_MALFORMED}
   */
  byte[] signature(String label) {
    if (!(member(SIGNATURE, signatures, label) instanceof Item item
        && item.value() instanceof ByteSequence bytes)) {
      throw malformed(SIGNATURE, label + " must be base64 between colons");
    }
    // RFC 9651 section 4.2.7 allows loose padding. Here, a signature must have its canonical
    // spelling and no parameters.
    byte[] signature = bytes.bytes();
    if (signature.length == 0) {
      // No algorithm makes an empty signature: signing failed, and the sender did not notice.
      throw malformed(
          SIGNATURE,
          label + " is empty: the sender could not sign; check that it can read its private key");
    }
    if (!isCanonical(signatures.textOf(label).orElseThrow(), signature)) {
      throw malformed(
          SIGNATURE,
          label + " must be padded base64 with zero unused bits, between colons, and nothing else");
    }
    return signature;
  }

  /**
   * Returns whether a text is the serialization of these bytes (RFC 9651 section 4.1.8). A text
   * that was parsed to these bytes can differ from the serialization only at its end.
   */
  private static boolean isCanonical(String text, byte[] bytes) {
    int whole = bytes.length / 3 * 3;
    String end =
        Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, whole, bytes.length)) + ':';
    return text.length() == 1 + whole / 3 * 4 + end.length() && text.endsWith(end);
  }

  private static Member member(String field, Dictionary members, String label) {
    return members
        .get(label)
        .orElseThrow(
            () ->
                new VerificationException(
                    VerificationFailure.LABEL_MISSING,
                    field
                        + " has no member labelled "
                        + label
                        + "; labels found: "
                        + Label.list(members.keys())
                        + "; write "
                        + label
                        + "=…"));
  }

  private static VerificationException malformed(String field, String fault) {
    return new VerificationException(VerificationFailure.SIGNATURE_MALFORMED, field + ": " + fault);
  }

  /**
   * Chooses which signature of a message a profile verifies (RFC 9421 sections 3.2 and 7.2.6).
   *
   * @param label the required label, which alone chooses the signature; empty to accept any label
   * @param ignoredLabels labels to ignore when no label is required
   * @param tag the required tag; if no label is required, the tag chooses the signature
   */
  record SignatureChoice(Optional<String> label, Set<String> ignoredLabels, Optional<String> tag) {

    /**
     * @throws IllegalArgumentException for an invalid label or tag
     */
    SignatureChoice {
      Stream.concat(label.stream(), ignoredLabels.stream()).forEach(Label::check);
      tag.ifPresent(StringItem::new);
      ignoredLabels = Set.copyOf(ignoredLabels);
    }

    /** Chooses the signature of a message that has exactly one signature. */
    static final SignatureChoice ONLY_SIGNATURE =
        new SignatureChoice(Optional.empty(), Set.of(), Optional.empty());

    SignatureChoice withLabel(String wanted) {
      return new SignatureChoice(Optional.of(wanted), Set.of(), tag);
    }

    SignatureChoice withAnyLabelExcept(String... labels) {
      return new SignatureChoice(Optional.empty(), Set.of(labels), tag);
    }

    SignatureChoice withTag(String wanted) {
      return new SignatureChoice(label, ignoredLabels, Optional.of(wanted));
    }

    /**
     * Returns the label of the signature to verify.
     *
     * @throws VerificationException {@link VerificationFailure#LABEL_MISSING} when no signature
     *     fits, {@link VerificationFailure#SIGNATURE_AMBIGUOUS} when several signatures fit
     */
    String in(SignatureFields fields) {
      if (label.isPresent()) {
        return label.get();
      }
      List<String> candidates =
          fields.labels().stream()
              .filter(candidate -> !ignoredLabels.contains(candidate))
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
                  + (ignoredLabels.isEmpty() ? "" : " other than " + Label.list(ignoredLabels))
                  + "; labels found: "
                  + Label.list(fields.labels()))
          : new VerificationException(
              VerificationFailure.SIGNATURE_AMBIGUOUS,
              "Signature-Input has more than one "
                  + wanted
                  + ", but only one is expected; it has "
                  + Label.list(candidates));
    }
  }
}
