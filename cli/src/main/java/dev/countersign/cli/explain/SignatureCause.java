package dev.countersign.cli.explain;

import dev.countersign.signatures.diagnosis.BaseDifference;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds out why a signature does not verify. Either the key is wrong, or a different signature base
 * was signed. In the second case, looks for the base that was signed.
 */
final class SignatureCause {
  private final RSAPublicKey key;
  private final List<BaseGuesses> guesses;
  private final Optional<String> signersBase;

  /**
   * Prepares the search with a public key.
   *
   * @param guesses the guesses from the base as received; if serializing {@code @signature-params}
   *     changes the base, then also the guesses from the changed base
   * @param signersBase the signature base that the signer's own program signed
   */
  SignatureCause(RSAPublicKey key, List<BaseGuesses> guesses, Optional<String> signersBase) {
    this.key = key;
    this.guesses = List.copyOf(guesses);
    this.signersBase = signersBase;
  }

  Cause of(byte[] signature) {
    int length = (key.getModulus().bitLength() + 7) / 8;
    if (signature.length != length) {
      return Cause.of(
          notThisKey()
              + ": it has "
              + signature.length
              + " bytes, but a signature with this key has "
              + length);
    }
    return SignedDigest.read(signature, key)
        .map(this::ofBase)
        .orElseGet(
            () ->
                Cause.of(
                    notThisKey()
                        + ": the private and the public key are not a pair, or the signature was not"
                        + " made with rsa-v1_5-sha256; have the public half of the signing key"
                        + " registered"
                        + " (countersign keys inspect shows the fingerprint of either half)"));
  }

  private String notThisKey() {
    return "the signature was not made with the private key of " + KeyFingerprint.of(key);
  }

  private Cause ofBase(SignedDigest signed) {
    String rebuilt = guesses.get(0).rebuilt().text();
    if (!signed.hash().equals("SHA-256")) {
      return Cause.of(
          "the base was hashed with " + signed.hash() + ": rsa-v1_5-sha256 uses SHA-256");
    }
    if (signed.isOfDigestOf(rebuilt)) {
      return Cause.of(
          "the digest of the base was signed, which hashes it twice: sign the base itself");
    }
    return signersBase
        .flatMap(text -> Stream.of(text, normalized(text)).filter(signed::isOf).findFirst())
        .flatMap(text -> BaseDifference.between(text, rebuilt))
        .or(() -> guesses.stream().flatMap(base -> guessed(base, signed)).findFirst())
        .map(Cause::of)
        .orElseGet(this::unknown);
  }

  private static Stream<BaseDifference> guessed(BaseGuesses guesses, SignedDigest signed) {
    return guesses.find(signed::isOf).stream()
        .flatMap(text -> BaseDifference.between(text, guesses.rebuilt().text()).stream());
  }

  /**
   * Converts CR LF to LF, and removes the line break at the end: editors add both, but no base has
   * them.
   */
  private static String normalized(String text) {
    return text.replace("\r\n", "\n").replaceFirst("\n$", "");
  }

  /**
   * The cause if the signed base was not found. Does not compare the signer's base with the rebuilt
   * one: it is not what was signed, so the difference would mislead.
   */
  private Cause unknown() {
    String summary = "the key is right, but a different signature base was signed";
    return Cause.of(
        signersBase.isPresent()
            ? summary
                + ", and neither the text given with --base nor any of the usual mistakes explains"
                + " it: give the exact text that your program signs, without escapes"
            : summary
                + ", and none of the usual mistakes explains it: write down the base that"
                + " your program signs and give it with --base FILE");
  }
}
