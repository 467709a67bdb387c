package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Optional;

/**
 * A signature as the fields Signature-Input and Signature describe it: well-formed, but not checked
 * yet.
 *
 * <p>{@link SignatureProfile#read} creates it, and {@link #checkProfile} is the next step. The
 * content of a claimed signature is only what the sender says: use it for logs, and never to decide
 * what a caller may do.
 */
public final class ClaimedSignature {
  private final SignatureProfile profile;
  private final HttpMessage message;
  private final String label;
  private final List<ComponentIdentifier> components;
  private final Parameters parameters;
  private final String signatureParams;
  private final byte[] signature;

  /**
   * Reads one of the signatures of a message.
   *
   * @throws VerificationException {@link VerificationFailure#LABEL_MISSING} or {@link
   *     VerificationFailure#SIGNATURE_MALFORMED}
   */
  ClaimedSignature(
      SignatureProfile profile, HttpMessage message, SignatureFields fields, String label) {
    this.profile = profile;
    this.message = message;
    this.label = label;
    this.components = fields.components(label);
    this.parameters = fields.parameters(label);
    this.signatureParams = fields.signatureParams(label);
    this.signature = fields.signature(label);
  }

  /** The label of the signature, which is the same in both fields. */
  public String label() {
    return label;
  }

  /** The components that the signature claims to cover, in their order. */
  public List<ComponentIdentifier> components() {
    return components;
  }

  /**
   * The keyid that the sender claims for the signature. Empty if {@code keyid} is missing, repeated
   * or not a string.
   */
  public Optional<String> keyid() {
    return parameters.repeatedKeys().contains("keyid")
        ? Optional.empty()
        : parameters
            .get("keyid")
            .filter(StringItem.class::isInstance)
            .map(keyid -> ((StringItem) keyid).value());
  }

  /**
   * Checks that the components and parameters are those that the profile requires.
   *
   * @throws VerificationException {@link VerificationFailure#PARAMETERS_WRONG}, {@link
   *     VerificationFailure#COMPONENTS_WRONG} or {@link VerificationFailure#ALGORITHM_WRONG}
   */
  public ReceivedSignature checkProfile() {
    SignatureInput input = new SignatureInput(components, SignatureParameters.received(parameters));
    profile.checkInput(message, input);
    return new ReceivedSignature(profile, message, label, input, signatureParams, signature);
  }
}
