package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;

/**
 * Compares bytes that arrive in pieces with the digests of a field, in constant memory. Pass every
 * piece in order, in any size, then call {@link #matches} once:
 *
 * <pre>{@code
 * DigestComparison comparison = contentDigest.comparison(crypto);
 * for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
 *   comparison.update(chunk, 0, read);
 * }
 * if (!comparison.matches()) { … }
 * }</pre>
 *
 * <p>Use it for one body: any call after {@link #matches} throws an {@link IllegalStateException}.
 * It is not safe for use by several threads at the same time. Until it has matched, do not trust
 * the bytes that were read.
 */
public final class DigestComparison {
  private final Map<DigestAlgorithm, byte[]> expected;
  private final RunningDigests running;

  /** Takes a map with at least one digest, which must not change after this call. */
  DigestComparison(Map<DigestAlgorithm, byte[]> expected, CryptoProvider crypto) {
    this.expected = expected;
    this.running = new RunningDigests(expected.keySet(), crypto);
  }

  /** Adds the next bytes, all of this array. */
  public void update(byte[] bytes) {
    running.update(bytes, 0, bytes.length);
  }

  /**
   * Adds the next bytes, a part of this array.
   *
   * @throws IndexOutOfBoundsException if there is no such part; then nothing is added
   */
  public void update(byte[] bytes, int offset, int length) {
    running.update(bytes, offset, length);
  }

  /** Adds the remaining bytes of the buffer, heap or direct, and consumes them. */
  public void update(ByteBuffer bytes) {
    running.update(bytes);
  }

  /** Ends the comparison, and returns whether every digest of the field matches the bytes. */
  public boolean matches() {
    Map<DigestAlgorithm, byte[]> computed = running.finish();
    boolean equal = true;
    for (Map.Entry<DigestAlgorithm, byte[]> digest : expected.entrySet()) {
      // All of them, in constant time, so that timing reveals nothing about the digest.
      equal &= MessageDigest.isEqual(digest.getValue(), computed.get(digest.getKey()));
    }
    return equal;
  }
}
