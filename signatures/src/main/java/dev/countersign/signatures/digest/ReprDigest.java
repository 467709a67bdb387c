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
 * <table> <caption>The bytes to compare with each field</caption> <tr><th>message</th><th>{@link
 * ContentDigest}</th><th>Repr-Digest</th></tr> <tr><td>request with a body, PATCH too</td><td>the
 * body</td><td>the body</td></tr> <tr><td>200 to GET</td><td>the body</td><td>the body</td></tr>
 * <tr><td>206 to a range</td><td>the range</td><td>the whole, reassembled</td></tr> <tr><td>answer
 * to HEAD</td><td>no bytes</td><td>what GET would have carried</td></tr> <tr><td>304</td><td>no
 * bytes</td><td>what the cache holds</td></tr> <tr><td>answer to PUT or PATCH, or with
 * Content-Location</td><td>the body</td> <td>the resource after the change, in the body or
 * not</td></tr> <tr><td>error, or status of a POST</td><td>the body</td><td>the body</td></tr>
 * </table>
 *
 * <p>Both fields cover the bytes with their content coding, so gzip and identity have different
 * digests, and without any transfer coding. A message without a representation has the digest of
 * zero bytes.
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
   * @throws DigestFieldException when it is malformed, has an algorithm twice, or has none of
   *     {@link DigestAlgorithm}
   */
  public static ReprDigest parse(List<String> lines) {
    return new ReprDigest(DigestMembers.parse(lines));
  }

  /** The algorithms of its digests, at least one. Check here for the algorithm that you require. */
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
