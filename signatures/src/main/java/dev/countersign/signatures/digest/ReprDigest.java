package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * The Repr-Digest field: digests of the whole selected representation. The body of a message may be
 * the whole representation, a part of it, empty, or something else.
 *
 * <p>The digests cover the following bytes:
 *
 * <ul>
 *   <li>a request, including PATCH, and a 200 response to GET: the body;
 *   <li>a 206 response to a range request: the whole representation, reassembled;
 *   <li>a response to HEAD: the body that GET would have had;
 *   <li>a 304 response: the stored response;
 *   <li>a response to PUT or PATCH, or with Content-Location: the resource after the change,
 *       whether or not it is in the body;
 *   <li>an error response, or a response that reports the outcome of a POST: the body.
 * </ul>
 *
 * <p>{@link ContentDigest} always covers the body of this message.
 *
 * <p>Both fields cover the bytes after content coding and before transfer coding, so gzip and
 * identity have different digests. A message without a representation has the digest of zero bytes.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-3">RFC 9530 3</a>
 */
public final class ReprDigest {
  private final DigestMembers members;

  private ReprDigest(DigestMembers members) {
    this.members = members;
  }

  /** The SHA-256 digest of the whole representation. */
  public static ReprDigest of(byte[] representation, CryptoProvider crypto) {
    return of(representation, crypto, Set.of(DigestAlgorithm.SHA_256));
  }

  /**
   * The digests of the whole representation, one for each algorithm.
   *
   * @throws IllegalArgumentException if there is no algorithm
   */
  public static ReprDigest of(
      byte[] representation, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    return new ReprDigest(DigestMembers.of(representation, crypto, algorithms));
  }

  /**
   * The digests of a whole representation of any size. Reads the stream to its end, in one pass and
   * in constant memory, and does not close it.
   *
   * @throws IllegalArgumentException if there is no algorithm
   * @throws IOException if the stream fails
   */
  public static ReprDigest of(
      InputStream representation, CryptoProvider crypto, Set<DigestAlgorithm> algorithms)
      throws IOException {
    return new ReprDigest(DigestMembers.of(representation, crypto, algorithms));
  }

  /**
   * Reads the field.
   *
   * @param lines every line of the field, header or trailer
   * @throws DigestFieldException when the field is malformed, has an algorithm twice, or has no
   *     {@link DigestAlgorithm}
   */
  public static ReprDigest parse(List<String> lines) {
    return new ReprDigest(DigestMembers.parse(lines));
  }

  /**
   * The algorithms of the digests, at least one. If you require an algorithm, check that it is
   * among them.
   */
  public Set<DigestAlgorithm> algorithms() {
    return members.algorithms();
  }

  /** Returns whether every digest here matches the whole representation. */
  public boolean matches(byte[] representation, CryptoProvider crypto) {
    return members.matches(representation, crypto);
  }

  /** Starts the same comparison for a representation of any size that arrives in pieces. */
  public DigestComparison comparison(CryptoProvider crypto) {
    return members.comparison(crypto);
  }

  /** The field's value, such as {@code sha-256=:…:}, without the members that were ignored. */
  public String serialize() {
    return members.serialize();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
