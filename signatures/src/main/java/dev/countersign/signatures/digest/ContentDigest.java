package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * The Content-Digest field: digests of the content that this message carries.
 *
 * <p>Content is everything between the header and the trailer section, with its content coding
 * (such as gzip) and without its transfer coding (chunked). In a 206 response, the content is only
 * the range. In a response to HEAD, a 204 response and a 304 response, the content is empty. {@link
 * ReprDigest} covers the whole representation that a range was taken from. Content-Digest and
 * Repr-Digest have separate types, so that a digest is never compared with the wrong bytes.
 *
 * <p>Every digest of the field is compared, so a match never depends on the weakest algorithm
 * alone. Members for algorithms that are not a {@link DigestAlgorithm} are ignored. A digest alone
 * proves nothing: anyone who changes the content can also change the field, unless a signature
 * covers the field.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-2">RFC 9530 2</a>
 */
public final class ContentDigest {
  private final DigestMembers members;

  private ContentDigest(DigestMembers members) {
    this.members = members;
  }

  /** The SHA-256 digest of the content. */
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
   * The digests of content of any size. Reads the stream to its end, in one pass and in constant
   * memory, and does not close it.
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
   * @param lines every line of the field, from the headers or the trailers
   * @throws DigestFieldException when the field is malformed, has an algorithm twice, or has no
   *     {@link DigestAlgorithm}
   */
  public static ContentDigest parse(List<String> lines) {
    return new ContentDigest(DigestMembers.parse(lines));
  }

  /**
   * The algorithms of the digests, at least one. If you require an algorithm, check that it is
   * among them.
   */
  public Set<DigestAlgorithm> algorithms() {
    return members.algorithms();
  }

  /** Returns whether every digest of the field matches the content. */
  public boolean matches(byte[] content, CryptoProvider crypto) {
    return members.matches(content, crypto);
  }

  /** Starts a comparison with content of any size that arrives in pieces. */
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
