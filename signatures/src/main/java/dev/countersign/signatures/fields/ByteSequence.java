package dev.countersign.signatures.fields;

import java.util.Arrays;
import java.util.Base64;

/**
 * Bytes, written as base64 between colons: {@code :aGVsbG8=:}.
 *
 * <p>The bytes are copied on the way in and on the way out. {@link #equals} compares the content,
 * but not in constant time, so do not use it for secrets.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.5">RFC 9651 3.3.5</a>
 */
public final class ByteSequence implements BareItem {

  private final byte[] bytes;

  private ByteSequence(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a sequence with a copy of these bytes. An empty array is allowed. */
  public static ByteSequence of(byte[] bytes) {
    return new ByteSequence(bytes.clone());
  }

  /** Returns a sequence that keeps this array without a copy, so nothing else may refer to it. */
  static ByteSequence owning(byte[] bytes) {
    return new ByteSequence(bytes);
  }

  /** A fresh copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  // RFC 9651 4.1.8
  @Override
  public String serialize() {
    return ":" + Base64.getEncoder().encodeToString(bytes) + ":";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteSequence that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return serialize();
  }
}
