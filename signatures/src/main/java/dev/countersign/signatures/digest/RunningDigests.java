package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Computes the digests of several algorithms in one pass; the bytes are not kept. */
final class RunningDigests {
  /** The number of bytes that are read from a stream at a time. */
  private static final int CHUNK = 16 * 1024;

  private final Map<DigestAlgorithm, MessageDigest> running = new EnumMap<>(DigestAlgorithm.class);
  private boolean finished;

  RunningDigests(Set<DigestAlgorithm> algorithms, CryptoProvider crypto) {
    algorithms.forEach(algorithm -> running.put(algorithm, algorithm.start(crypto)));
  }

  void update(byte[] bytes, int offset, int length) {
    requireUnfinished();
    // The range is checked before any digest is updated, so that a wrong range changes no digest.
    Objects.checkFromIndexSize(offset, length, bytes.length);
    running.values().forEach(digest -> digest.update(bytes, offset, length));
  }

  void update(ByteBuffer bytes) {
    requireUnfinished();
    running.values().forEach(digest -> digest.update(bytes.duplicate()));
    bytes.position(bytes.limit());
  }

  /** Reads the stream to its end, and leaves it open. */
  void update(InputStream bytes) throws IOException {
    byte[] chunk = new byte[CHUNK];
    for (int read = bytes.read(chunk); read >= 0; read = bytes.read(chunk)) {
      update(chunk, 0, read);
    }
  }

  Map<DigestAlgorithm, byte[]> finish() {
    requireUnfinished();
    finished = true;
    Map<DigestAlgorithm, byte[]> digests = new EnumMap<>(DigestAlgorithm.class);
    running.forEach((algorithm, digest) -> digests.put(algorithm, digest.digest()));
    return digests;
  }

  private void requireUnfinished() {
    if (finished) {
      throw new IllegalStateException("the digests are finished; start new ones for other bytes");
    }
  }
}
