package dev.countersign.signatures.digest;

import java.io.InputStream;
import java.util.Objects;

/**
 * A body that is never entirely in memory: byte n is {@code n ^ n >> 8 ^ n >> 16}, in irregular
 * pieces.
 */
final class GeneratedBody extends InputStream {
  private final int size;
  private int position;

  private GeneratedBody(int size) {
    this.size = size;
  }

  static GeneratedBody of64MiB() {
    return new GeneratedBody(64 << 20);
  }

  @Override
  public int read() {
    return position == size ? -1 : next() & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (position == size) {
      return -1;
    }
    int piece = Math.min(Math.min(length, 1 + position % 9_973), size - position);
    for (int i = 0; i < piece; i++) {
      target[offset + i] = next();
    }
    return piece;
  }

  private byte next() {
    int n = position++;
    return (byte) (n ^ n >> 8 ^ n >> 16);
  }
}
