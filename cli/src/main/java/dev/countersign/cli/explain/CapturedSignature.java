package dev.countersign.cli.explain;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.signatures.FieldTypes;
import dev.countersign.signatures.SignatureBase;
import dev.countersign.signatures.SignatureInput;
import dev.countersign.signatures.VerificationException;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The signature of a captured request, read as far as it can be, whatever else is wrong with it.
 *
 * @param base as its Signature-Input describes it; empty where that describes none
 * @param created empty where it is missing
 */
record CapturedSignature(Optional<BaseLines> base, Optional<byte[]> bytes, OptionalLong created) {
  private static final String LABEL = "sig";

  static CapturedSignature of(CapturedRequest request) {
    return new CapturedSignature(base(request), bytes(request), created(request));
  }

  private static Optional<String> params(CapturedRequest request) {
    return dictionary(request.fieldLines("signature-input"))
        .flatMap(members -> members.textOf(LABEL));
  }

  private static Optional<BaseLines> base(CapturedRequest request) {
    try {
      return params(request)
          .map(
              text ->
                  BaseLines.of(
                          SignatureBase.of(
                                  SignatureInput.parse(text), request, FieldTypes.registered())
                              .text())
                      // As it was spelled, RFC 9421 section 2.5.
                      .with(BaseLines.PARAMS, text));
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
