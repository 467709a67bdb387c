package dev.countersign.signatures;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import dev.countersign.signatures.fields.StringItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A signature as it was received: read, and not yet to be trusted.
 *
 * <p>It goes on by {@link #check}, and ends as a {@link VerifiedSignature}, the only proof that
 * this library gives.
 */
public final class ReceivedSignature {
  private static final String INPUT = "Signature-Input";
  private static final String SIGNATURE = "Signature";

  private final HttpMessage message;
  private final TimeWindow window;
  private final String label;
  private final List<ComponentIdentifier> components;
  private final SignatureParameters parameters;
  private final String signatureParams;
  private final byte[] signature;

  private ReceivedSignature(
      HttpMessage message,
      TimeWindow window,
      String label,
      List<ComponentIdentifier> components,
      SignatureParameters parameters,
      String signatureParams,
      byte[] signature) {
    this.message = message;
    this.window = window;
    this.label = label;
    this.components = components;
    this.parameters = parameters;
    this.signatureParams = signatureParams;
    this.signature = signature;
  }

  /** The label that the two fields share. */
  public String label() {
    return label;
  }

  /** The covered components in their order, none of them verified yet. */
  public List<ComponentIdentifier> components() {
    return components;
  }

  /** The signature parameters, not verified yet. */
  public SignatureParameters parameters() {
    return parameters;
  }

  /** Whether the signature claims to cover a component without parameters. */
  public boolean covers(String name) {
    for (ComponentIdentifier component : components) {
      if (component.name().equals(name) && component.parameters().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks {@code created} and {@code expires} against the clock, Date against {@code created}, and
   * that there is a Content-Digest exactly when the framing says that there is a body.
   *
   * @throws VerificationException when one of them is not as the profile says
   */
  public TimelySignature check(Instant now) {
    window.check(this, message, now);
    return new TimelySignature(this, ExpectedBody.of(this, message));
  }

  /** The base that one of the keys has signed. */
  SignatureBase verify(List<VerificationKey> keys) {
    SignatureBase base = SignatureBase.of(components, signatureParams, message);
    byte[] signed = base.bytes();
    for (VerificationKey key : keys) {
      if (key.verifies(signed, signature)) {
        return base;
      }
    }
    throw VerificationException.mismatch(base);
  }

  /**
   * Reads the labelled signature of a message (RFC 9421 section 4).
   *
   * @throws VerificationException when a field is missing or malformed, or lacks the label
   */
  static ReceivedSignature read(HttpMessage message, String label, TimeWindow window) {
    List<String> inputLines = message.fieldLines("signature-input");
    List<String> signatureLines = message.fieldLines("signature");
    if (inputLines.isEmpty() || signatureLines.isEmpty()) {
      throw new VerificationException(
          Failure.SIGNATURE_MISSING,
          "the request has no "
              + (inputLines.isEmpty() ? INPUT : SIGNATURE)
              + " header; send both Signature-Input and Signature");
    }
    Dictionary inputs = parse(INPUT, inputLines);
    Dictionary signatures = parse(SIGNATURE, signatureLines);
    InnerList list = list(inputs, label);
    return new ReceivedSignature(
        message,
        window,
        label,
        components(list),
        SignatureParameters.received(list.parameters()),
        inputs.textOf(label).orElseThrow(),
        signatureBytes(signatures, label));
  }

  private static Dictionary parse(String field, List<String> lines) {
    Dictionary members;
    try {
      members = Dictionary.parse(lines);
    } catch (FieldParseException e) {
      throw malformed(field, String.valueOf(e.getMessage()));
    }
    // RFC 9421 section 4: a label is unique within a message.
    if (!members.repeatedKeys().isEmpty()) {
      throw malformed(
          field, "two members are labelled " + members.repeatedKeys().iterator().next());
    }
    return members;
  }

  private static InnerList list(Dictionary inputs, String label) {
    if (member(INPUT, inputs, label) instanceof InnerList list) {
      return list;
    }
    throw malformed(INPUT, label + " must be a list in parentheses");
  }

  private static List<ComponentIdentifier> components(InnerList list) {
    List<ComponentIdentifier> components = new ArrayList<>(list.items().size());
    for (Item item : list.items()) {
      if (!(item.value() instanceof StringItem name)) {
        throw malformed(INPUT, "a component is named in double quotes");
      }
      try {
        components.add(new ComponentIdentifier(name.value(), item.parameters()));
      } catch (IllegalArgumentException e) {
        throw malformed(INPUT, String.valueOf(e.getMessage()));
      }
    }
    return List.copyOf(components);
  }

  private static byte[] signatureBytes(Dictionary signatures, String label) {
    if (!(member(SIGNATURE, signatures, label) instanceof Item item
        && item.value() instanceof ByteSequence bytes)) {
      throw malformed(SIGNATURE, label + " must be base64 between colons");
    }
    // RFC 9651 section 4.2.7 reads padding loosely; one signature has one spelling here, which
    // leaves no room for parameters either.
    if (!signatures.textOf(label).equals(Optional.of(bytes.serialize()))) {
      throw malformed(
          SIGNATURE,
          label + " must be padded base64 with its unused bits zero, between colons, and no more");
    }
    return bytes.bytes();
  }

  private static Member member(String field, Dictionary members, String label) {
    return members
        .get(label)
        .orElseThrow(
            () ->
                new VerificationException(
                    Failure.LABEL_MISSING,
                    field + " has no member labelled " + label + "; write " + label + "=…"));
  }

  private static VerificationException malformed(String field, String what) {
    return new VerificationException(Failure.SIGNATURE_MALFORMED, field + ": " + what);
  }
}
