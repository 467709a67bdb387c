package dev.countersign.signatures.digest;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The Content-Digest field: digests of a message's body as it is on the wire (RFC 9530 section 2).
 *
 * <p>SHA-256 is what this library asks for. A SHA-512 beside it has to match as well. Algorithms
 * that are deprecated (RFC 9530 section 5) or unknown are neither accepted nor compared.
 */
public final class ContentDigest {
  private final Map<DigestAlgorithm, ByteSequence> digests;

  private ContentDigest(Map<DigestAlgorithm, ByteSequence> digests) {
    this.digests = digests;
  }

  /** The digest of a body, SHA-256 alone. */
  public static ContentDigest of(byte[] body, CryptoProvider crypto) {
    Map<DigestAlgorithm, ByteSequence> digests = new EnumMap<>(DigestAlgorithm.class);
    digests.put(
        DigestAlgorithm.SHA_256, ByteSequence.of(DigestAlgorithm.SHA_256.digest(body, crypto)));
    return new ContentDigest(digests);
  }

  /**
   * Reads the field.
   *
   * @param lines every line of the field
   * @throws ContentDigestException when it is malformed or has no sha-256
   */
  public static ContentDigest parse(List<String> lines) {
    Dictionary members;
    try {
      members = Dictionary.parse(lines);
    } catch (FieldParseException e) {
      throw new ContentDigestException(String.valueOf(e.getMessage()));
    }
    Map<DigestAlgorithm, ByteSequence> digests = new EnumMap<>(DigestAlgorithm.class);
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      if (members.repeatedKeys().contains(algorithm.key())) {
        throw new ContentDigestException(algorithm.key() + " came twice");
      }
      members
          .get(algorithm.key())
          .ifPresent(member -> digests.put(algorithm, bytes(algorithm, member)));
    }
    if (!digests.containsKey(DigestAlgorithm.SHA_256)) {
      throw new ContentDigestException("there is no sha-256=:…: among its members");
    }
    return new ContentDigest(digests);
  }

  private static ByteSequence bytes(DigestAlgorithm algorithm, Member member) {
    if (member instanceof Item item
        && item.value() instanceof ByteSequence bytes
        && bytes.bytes().length == algorithm.length()) {
      return bytes;
    }
    throw new ContentDigestException(
        algorithm.key() + " must be " + algorithm.length() + " bytes in base64 between colons");
  }

  /** Whether every digest here is that of the body. */
  public boolean matches(byte[] body, CryptoProvider crypto) {
    boolean equal = true;
    for (Map.Entry<DigestAlgorithm, ByteSequence> digest : digests.entrySet()) {
      equal &=
          MessageDigest.isEqual(digest.getValue().bytes(), digest.getKey().digest(body, crypto));
    }
    return equal;
  }

  /** The field's value, such as {@code sha-256=:…:}. */
  public String serialize() {
    StringBuilder value = new StringBuilder();
    digests.forEach(
        (algorithm, bytes) ->
            value
                .append(value.isEmpty() ? "" : ", ")
                .append(algorithm.key())
                .append('=')
                .append(bytes.serialize()));
    return value.toString();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
