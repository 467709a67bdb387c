package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;

/**
 * Checks whether a body matches the digests of a field. The body may arrive in pieces of any size,
 * and is not kept in memory. Pass every piece in order, then call {@link #finishAndCompare} once:
 *
 * <pre>{@code
 * DigestComparison comparison = contentDigest.comparison(crypto);
 * for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
 *   comparison.update(chunk, 0, read);
 * }
 * if (!comparison.finishAndCompare()) { … }
 * }</pre>
 *
 * <p>Use it for one body: any call after {@link #finishAndCompare} throws an {@link
 * IllegalStateException}. It is not safe for use by several threads at the same time. Do not trust
 * the bytes before {@link #finishAndCompare} has returned true.
 */
public final class DigestComparison {
  private final Map<DigestAlgorithm, byte[]> expected;
  private final RunningDigests running;

  /** Takes a map with at least one digest. The map must not change after this call. */
  DigestComparison(Map<DigestAlgorithm, byte[]> expected, CryptoProvider crypto) {
    this.expected = expected;
    this.running = new RunningDigests(expected.keySet(), crypto);
  }

  /** Adds all bytes of an array. */
  public void update(byte[] bytes) {
    running.update(bytes, 0, bytes.length);
  }

  /**
   * Adds a part of an array.
   *
   * @throws IndexOutOfBoundsException if the part is not inside the array; nothing is added then
   */
  public void update(byte[] bytes, int offset, int length) {
    running.update(bytes, offset, length);
  }

  /** Adds the remaining bytes of the buffer, heap or direct, and consumes them. */
  public void update(ByteBuffer bytes) {
    running.update(bytes);
  }

  /** Finishes the digests, and returns whether every digest of the field matches the bytes. */
  public boolean finishAndCompare() {
    Map<DigestAlgorithm, byte[]> computed = running.finish();
    boolean equal = true;
    for (Map.Entry<DigestAlgorithm, byte[]> digest : expected.entrySet()) {
      // Compares all digests, each in constant time, so that timing reveals nothing about them.
      equal &= MessageDigest.isEqual(digest.getValue(), computed.get(digest.getKey()));
    }
    return equal;
  }
}
