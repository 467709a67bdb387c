package dev.countersign.signatures.fields;

import java.util.Arrays;
import java.util.Base64;

/**
 * Bytes, written as base64 between colons: {@code :aGVsbG8=:}.
 *
 * <p>Bytes are copied on the way in and on the way out, and compared by content. The comparison
 * takes as long as the bytes agree, so it is not for secrets.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.5">RFC 9651 3.3.5</a>
 */
public final class ByteSequence implements BareItem {

  private final byte[] bytes;

  private ByteSequence(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A sequence of a copy of these bytes; it may be empty. */
  public static ByteSequence of(byte[] bytes) {
    return new ByteSequence(bytes.clone());
  }

  /** A sequence of these very bytes, which nobody else has. */
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
