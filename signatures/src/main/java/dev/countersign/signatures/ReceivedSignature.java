package dev.countersign.signatures;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import dev.countersign.signatures.fields.StringItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A signature as it was received: read, and not yet to be trusted.
 *
 * <p>{@link #verify} turns it into a {@link VerifiedSignature}, the only proof that this library
 * gives.
 */
public final class ReceivedSignature {
  private final String label;
  private final List<ComponentIdentifier> components;
  private final SignatureParameters parameters;
  private final String signatureParams;
  private final byte[] signature;

  private ReceivedSignature(
      String label,
      List<ComponentIdentifier> components,
      SignatureParameters parameters,
      String signatureParams,
      byte[] signature) {
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
   * Verifies the signature with any of the keys (RFC 9421 section 3.2).
   *
   * @param keys the live keys of the client, usually one, two while it rotates
   * @throws VerificationException {@link Failure#SIGNATURE_MISMATCH} when none of them verifies it
   */
  public VerifiedSignature verify(HttpMessage message, List<VerificationKey> keys) {
    SignatureBase base = SignatureBase.of(components, signatureParams, message);
    byte[] signed = base.bytes();
    for (VerificationKey key : keys) {
      if (key.verifies(signed, signature)) {
        return new VerifiedSignature(this, base);
      }
    }
    throw VerificationException.mismatch(base);
  }

  /**
   * Reads the labelled signature of a message (RFC 9421 section 4).
   *
   * @throws VerificationException when a field is missing or malformed, or lacks the label
   */
  static Fields readFields(HttpMessage message, String label) {
    List<String> inputLines = message.fieldLines("signature-input");
    List<String> signatureLines = message.fieldLines("signature");
    if (inputLines.isEmpty() || signatureLines.isEmpty()) {
      throw new VerificationException(
          Failure.SIGNATURE_MISSING,
          "the request has no "
              + (inputLines.isEmpty() ? "Signature-Input" : "Signature")
              + " header; send both Signature-Input and Signature");
    }
    return new Fields(
        label, parse("Signature-Input", inputLines), parse("Signature", signatureLines));
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

  private static VerificationException malformed(String field, String what) {
    return new VerificationException(Failure.SIGNATURE_MALFORMED, field + ": " + what);
  }

  /** The two fields, parsed; the one place where members become a signature. */
  record Fields(String label, Dictionary inputs, Dictionary signatures) {

    ReceivedSignature select() {
      Member input = inputs.get(label).orElseThrow(() -> labelMissing("Signature-Input"));
      Member signature = signatures.get(label).orElseThrow(() -> labelMissing("Signature"));
      if (!(input instanceof InnerList list)) {
        throw malformed("Signature-Input", label + " must be a list in parentheses");
      }
      if (!(signature instanceof Item item
          && item.value() instanceof ByteSequence bytes
          && item.parameters().isEmpty())) {
        throw malformed("Signature", label + " must be base64 between colons");
      }
      // RFC 9651 section 4.2.7 reads padding loosely; one signature has one spelling here.
      if (!signatures.textOf(label).equals(Optional.of(bytes.serialize()))) {
        throw malformed("Signature", label + " must be base64 with its padding, zero bits unused");
      }
      return new ReceivedSignature(
          label,
          components(list),
          SignatureParameters.received(list.parameters()),
          inputs.textOf(label).orElseThrow(),
          bytes.bytes());
    }

    private List<ComponentIdentifier> components(InnerList list) {
      List<ComponentIdentifier> components = new ArrayList<>(list.items().size());
      for (Item item : list.items()) {
        if (!(item.value() instanceof StringItem name)) {
          throw malformed("Signature-Input", "a component is named in double quotes");
        }
        try {
          components.add(new ComponentIdentifier(name.value(), item.parameters()));
        } catch (IllegalArgumentException e) {
          throw malformed("Signature-Input", "a component's name is in lower case");
        }
      }
      return List.copyOf(components);
    }

    private VerificationException labelMissing(String field) {
      return new VerificationException(
          Failure.LABEL_MISSING,
          field + " has no member labelled " + label + "; write " + label + "=…");
    }
  }
}
