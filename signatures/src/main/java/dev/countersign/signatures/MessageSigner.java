package dev.countersign.signatures;

import dev.countersign.signatures.fields.ByteSequence;
import java.time.Instant;
import java.util.List;

/**
 * Signs requests with one key under one profile (RFC 9421 section 3.1).
 *
 * <pre>{@code
 * MessageSigner signer = new MessageSigner(SignatureProfile.SIGNED_DATE, key);
 * SignedFields fields = signer.sign(request, clock.instant());
 * }</pre>
 *
 * <p>The request already carries its Date, made from the same instant, and its Content-Digest when
 * it has a body. {@link SignableRequest} makes such a request from its parts.
 */
public final class MessageSigner {
  private final SignatureProfile profile;
  private final SigningKey key;

  public MessageSigner(SignatureProfile profile, SigningKey key) {
    this.profile = profile;
    this.key = key;
  }

  /**
   * Signs a message.
   *
   * @param created the signing time, of which whole seconds are sent
   * @throws IllegalArgumentException when the message lacks a component that the profile covers, or
   *     has one whose value cannot be covered
   */
  public SignedFields sign(HttpMessage message, Instant created) {
    List<ComponentIdentifier> components = profile.componentsToSign(message);
    String signatureParams =
        ComponentIdentifier.serialize(components)
            + SignatureParameters.of(created, key).serialize();
    SignatureBase base = base(components, signatureParams, message);
    return new SignedFields(
        profile.label() + '=' + signatureParams,
        profile.label() + '=' + ByteSequence.of(key.sign(base)).serialize(),
        base);
  }

  private static SignatureBase base(
      List<ComponentIdentifier> components, String signatureParams, HttpMessage message) {
    try {
      return SignatureBase.of(components, signatureParams, message);
    } catch (VerificationException e) {
      throw new IllegalArgumentException("the message cannot be signed: " + e.getMessage(), e);
    }
  }
}
