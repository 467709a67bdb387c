package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * The Content-Digest field: digests of the content that this very message carries.
 *
 * <p>Content is what lies between the header and the trailer section, with its content coding (such
 * as gzip) still on and its transfer coding (chunked) taken off. Of an answer 206 it is the range
 * alone; of an answer to HEAD, of 204 and of 304 it is no bytes at all. For the whole of what a
 * range was cut from there is {@link ReprDigest}, which is a type of its own so that neither is
 * held against the bytes of the other.
 *
 * <p>Every digest here is compared, so that the weakest of them decides nothing. What is not a
 * {@link DigestAlgorithm} is neither accepted nor compared. A digest alone proves nothing: whoever
 * changes the content can change the field, unless a signature covers it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-2">RFC 9530 2</a>
 */
public final class ContentDigest {
  private final DigestMembers members;

  private ContentDigest(DigestMembers members) {
    this.members = members;
  }

  /** The digest of the content, SHA-256 alone. */
  public static ContentDigest of(byte[] content, CryptoProvider crypto) {
    return of(content, crypto, Set.of(DigestAlgorithm.SHA_256));
  }

  /**
   * The digests of the content, one for each algorithm.
   *
   * @throws IllegalArgumentException if there is no algorithm
   */
  public static ContentDigest of(
      byte[] content, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    return new ContentDigest(DigestMembers.of(content, crypto, algorithms));
  }

  /**
   * The digests of content of any size, which is read to its end in one pass and constant memory,
   * and not closed.
   *
   * @throws IllegalArgumentException if there is no algorithm
   * @throws IOException if the stream fails
   */
  public static ContentDigest of(
      InputStream content, CryptoProvider crypto, Set<DigestAlgorithm> algorithms)
      throws IOException {
    return new ContentDigest(DigestMembers.of(content, crypto, algorithms));
  }

  /**
   * Reads the field.
   *
   * @param lines every line of the field, header or trailer
   * @throws DigestFieldException when it is malformed, has an algorithm twice, or has none of
   *     {@link DigestAlgorithm}
   */
  public static ContentDigest parse(List<String> lines) {
    return new ContentDigest(DigestMembers.parse(lines));
  }

  /** The algorithms that it has digests of, at least one. Demand here the one that you need. */
  public Set<DigestAlgorithm> algorithms() {
    return members.algorithms();
  }

  /** Whether every digest here is that of the content. */
  public boolean matches(byte[] content, CryptoProvider crypto) {
    return members.matches(content, crypto);
  }

  /** The same for content of any size, handed over in pieces. */
  public DigestComparison comparison(CryptoProvider crypto) {
    return members.comparison(crypto);
  }

  /** The field's value, such as {@code sha-256=:…:}; members that were ignored are not in it. */
  public String serialize() {
    return members.serialize();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
