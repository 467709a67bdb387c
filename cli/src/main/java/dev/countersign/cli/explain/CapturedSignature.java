package dev.countersign.cli.explain;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The signature of a captured request, read as far as possible, whatever else is wrong with it.
 *
 * @param base the base with {@code @signature-params} as spelled in Signature-Input; empty if that
 *     field does not describe a base
 * @param serialized the base with {@code @signature-params} serialized (RFC 9421 section 2.3);
 *     empty if there is no base, or if the two are equal
 * @param created the time of signing, in Unix seconds; empty if it is missing or cannot be read
 */
record CapturedSignature(
    Optional<EditableBase> base,
    Optional<EditableBase> serialized,
    Optional<byte[]> bytes,
    OptionalLong created) {
  private static final String LABEL = PartnerProfile.REQUEST.label();

  static CapturedSignature of(CapturedRequest request) {
    Optional<EditableBase> serialized = serialized(request);
    Optional<EditableBase> base =
        serialized.flatMap(
            lines -> params(request).map(text -> lines.with(EditableBase.PARAMS, text)));
    return new CapturedSignature(
        base,
        serialized.filter(lines -> !base.equals(Optional.of(lines))),
        bytes(request),
        created(request));
  }

  /**
   * Returns whichever of the two bases was signed with the private half of this key; a service
   * accepts either.
   */
  Optional<EditableBase> signedBase(RSAPublicKey key) {
    Optional<SignedDigest> signed = bytes.flatMap(signature -> SignedDigest.read(signature, key));
    return signed.flatMap(
        digest ->
            Stream.concat(base.stream(), serialized.stream())
                .filter(lines -> digest.isOf(lines.text()))
                .findFirst());
  }

  private static Optional<String> params(CapturedRequest request) {
    return dictionary(request.fieldLines("signature-input"))
        .flatMap(members -> members.textOf(LABEL));
  }

  private static Optional<EditableBase> serialized(CapturedRequest request) {
    try {
      return params(request)
          .map(SignatureInput::parse)
          .map(input -> SignatureBase.of(input, request, StructuredFieldRegistry.registered()))
          .map(base -> EditableBase.of(base.text()));
    } catch (IllegalArgumentException | VerificationException none) {
      return Optional.empty();
    }
  }

  private static OptionalLong created(CapturedRequest request) {
    try {
      return params(request)
          .map(text -> SignatureInput.parse(text).parameters().created())
          .orElse(OptionalLong.empty());
    } catch (IllegalArgumentException | VerificationException none) {
      return OptionalLong.empty();
    }
  }

  private static Optional<byte[]> bytes(CapturedRequest request) {
    return dictionary(request.fieldLines("signature"))
        .flatMap(members -> members.get(LABEL))
        .filter(member -> member instanceof Item item && item.value() instanceof ByteSequence)
        .map(member -> ((ByteSequence) ((Item) member).value()).bytes());
  }

  private static Optional<Dictionary> dictionary(List<String> lines) {
    try {
      return lines.isEmpty() ? Optional.empty() : Optional.of(Dictionary.parse(lines));
    } catch (FieldParseException malformed) {
      return Optional.empty();
    }
  }
}
