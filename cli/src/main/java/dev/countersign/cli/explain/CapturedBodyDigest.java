package dev.countersign.cli.explain;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.DigestFieldException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.Optional;

/**
 * The Content-Digest and the body of a captured request; the digest is empty if the field is
 * missing or malformed.
 */
final class CapturedBodyDigest {
  private final Optional<ContentDigest> digest;
  private final byte[] body;

  private CapturedBodyDigest(Optional<ContentDigest> digest, byte[] body) {
    this.digest = digest;
    this.body = body;
  }

  static CapturedBodyDigest of(CapturedRequest request) {
    try {
      return new CapturedBodyDigest(
          request.fieldLines("content-digest").isEmpty()
              ? Optional.empty()
              : Optional.of(ContentDigest.parse(request.fieldLines("content-digest"))),
          request.body());
    } catch (DigestFieldException malformed) {
      return new CapturedBodyDigest(Optional.empty(), request.body());
    }
  }

  /** The digest that was sent. */
  Optional<ContentDigest> digest() {
    return digest;
  }

  /** The number of bytes of the body. */
  int length() {
    return body.length;
  }

  /** Returns whether there is a digest that does not match the body. */
  boolean differs() {
    return digest.isPresent() && !digest.get().matches(body, CryptoProvider.jdk());
  }

  /** The change that was made to the body; empty if it cannot be guessed. */
  Optional<Cause> cause() {
    return digest.flatMap(wanted -> BodyGuesses.find(wanted, body)).map(Cause::of);
  }
}
