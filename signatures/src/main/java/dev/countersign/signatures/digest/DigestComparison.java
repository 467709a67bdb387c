package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;

/**
 * Holds bytes that arrive in pieces against the digests of a field, in constant memory. Hand in
 * every piece in order, cut wherever it was cut, then ask once:
 *
 * <pre>{@code
 * DigestComparison comparison = contentDigest.comparison(crypto);
 * for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
 *   comparison.update(chunk, 0, read);
 * }
 * if (!comparison.matches()) { … }
 * }</pre>
 *
 * <p>It is good for one body: whatever comes after {@link #matches} is an {@link
 * IllegalStateException}. It is not safe for use by several threads at once. Until it has matched,
 * nothing that was read is known to be what was sent.
 */
public final class DigestComparison {
  private final Map<DigestAlgorithm, byte[]> expected;
  private final RunningDigests running;

  /** The map has at least one digest, and nobody changes it. */
  DigestComparison(Map<DigestAlgorithm, byte[]> expected, CryptoProvider crypto) {
    this.expected = expected;
    this.running = new RunningDigests(expected.keySet(), crypto);
  }

  /** The next bytes, all of this array. */
  public void update(byte[] bytes) {
    running.update(bytes, 0, bytes.length);
  }

  /**
   * The next bytes, a part of this array.
   *
   * @throws IndexOutOfBoundsException if there is no such part; then nothing has been taken
   */
  public void update(byte[] bytes, int offset, int length) {
    running.update(bytes, offset, length);
  }

  /** The next bytes, those that remain in the buffer, heap or direct; afterwards none do. */
  public void update(ByteBuffer bytes) {
    running.update(bytes);
  }

  /** Ends the comparison: whether every digest of the field is that of the bytes. */
  public boolean matches() {
    Map<DigestAlgorithm, byte[]> computed = running.finish();
    boolean equal = true;
    for (Map.Entry<DigestAlgorithm, byte[]> digest : expected.entrySet()) {
      // All of them in constant time: how far a digest agrees is for nobody to measure.
      equal &= MessageDigest.isEqual(digest.getValue(), computed.get(digest.getKey()));
    }
    return equal;
  }
}
