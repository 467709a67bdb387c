package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestFieldException.Reason.MALFORMED;
import static dev.countersign.signatures.digest.DigestFieldException.Reason.NO_ACTIVE_ALGORITHM;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Member;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The common part of Content-Digest and Repr-Digest: a dictionary of digests, at least one of which
 * has an Active algorithm (RFC 9530 sections 2 and 3). Members of other algorithms are ignored,
 * whatever their value, and so are parameters.
 */
final class DigestMembers {
  private static final int SHOWN_KEYS = 5;
  private static final int SHOWN_KEY_LENGTH = 20;

  private final Map<DigestAlgorithm, byte[]> digests;

  private DigestMembers(Map<DigestAlgorithm, byte[]> digests) {
    this.digests = digests;
  }

  static DigestMembers of(byte[] bytes, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    RunningDigests running = new RunningDigests(requireSome(algorithms), crypto);
    running.update(bytes, 0, bytes.length);
    return new DigestMembers(running.finish());
  }

  static DigestMembers of(InputStream bytes, CryptoProvider crypto, Set<DigestAlgorithm> algorithms)
      throws IOException {
    RunningDigests running = new RunningDigests(requireSome(algorithms), crypto);
    running.update(bytes);
    return new DigestMembers(running.finish());
  }

  private static Set<DigestAlgorithm> requireSome(Set<DigestAlgorithm> algorithms) {
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException("at least one digest algorithm must be given, was none");
    }
    return algorithms;
  }

  static DigestMembers parse(List<String> lines) {
    Dictionary members = dictionary(lines);
    Map<DigestAlgorithm, byte[]> digests = new EnumMap<>(DigestAlgorithm.class);
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      members
          .get(algorithm.key())
          .ifPresent(member -> digests.put(algorithm, bytes(algorithm, member)));
      // RFC 9651 4.2.2 keeps the last value of a repeated key. Here a repeated key is an error,
      // because either of the two digests could be the right one.
      if (members.repeatedKeys().contains(algorithm.key())) {
        throw new DigestFieldException(
            MALFORMED, algorithm.key() + " must occur once, occurs twice");
      }
    }
    if (digests.isEmpty()) {
      throw new DigestFieldException(
          NO_ACTIVE_ALGORITHM,
          "the field must have a member sha-256=:…: or sha-512=:…:, has " + shown(members.keys()));
    }
    return new DigestMembers(digests);
  }

  /** Parses lines as a dictionary. */
  static Dictionary dictionary(List<String> lines) {
    try {
      return Dictionary.parse(lines);
    } catch (FieldParseException e) {
      throw new DigestFieldException(e);
    }
  }

  // RFC 9651 2.3: an unknown parameter should not be an error, so parameters are ignored.
  private static byte[] bytes(DigestAlgorithm algorithm, Member member) {
    if (member instanceof Item item && item.value() instanceof ByteSequence sequence) {
      byte[] bytes = sequence.bytes();
      if (bytes.length == algorithm.length()) {
        return bytes;
      }
    }
    throw new DigestFieldException(
        MALFORMED,
        algorithm.key() + " must be " + algorithm.length() + " bytes in base64 between colons");
  }

  /**
   * Some of the keys, for a message. Their characters are harmless, but both their number and their
   * length are limited, because the sender chooses them.
   */
  private static String shown(Set<String> keys) {
    if (keys.isEmpty()) {
      return "none";
    }
    String some =
        keys.stream()
            .limit(SHOWN_KEYS)
            .map(key -> key.length() > SHOWN_KEY_LENGTH ? cut(key) : key)
            .collect(Collectors.joining(", "));
    return "only " + some + (keys.size() > SHOWN_KEYS ? ", …" : "");
  }

  private static String cut(String key) {
    return key.substring(0, SHOWN_KEY_LENGTH) + "…";
  }

  Set<DigestAlgorithm> algorithms() {
    return Collections.unmodifiableSet(digests.keySet());
  }

  boolean matches(byte[] bytes, CryptoProvider crypto) {
    DigestComparison comparison = comparison(crypto);
    comparison.update(bytes);
    return comparison.finishAndCompare();
  }

  DigestComparison comparison(CryptoProvider crypto) {
    return new DigestComparison(digests, crypto);
  }

  String serialize() {
    return digests.entrySet().stream()
        .map(digest -> digest.getKey().key() + "=" + ByteSequence.of(digest.getValue()).serialize())
        .collect(Collectors.joining(", "));
  }
}
