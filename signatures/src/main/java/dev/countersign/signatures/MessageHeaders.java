package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The header fields of a message that is being built: the fields that the caller gives, and the
 * fields that signing adds. Field names are case-insensitive (RFC 9110 section 5.1).
 */
final class MessageHeaders {
  private static final String DATE = "Date";
  private static final String CONTENT_DIGEST = "Content-Digest";

  /** The fields that a caller must not set, in lower case. */
  private static final Set<String> SET_BY_SIGNING =
      Set.of("date", "content-digest", "signature-input", "signature");

  private final Map<String, String> fields;

  private MessageHeaders(Map<String, String> fields) {
    this.fields = Collections.unmodifiableMap(fields);
  }

  /** Returns header fields with only a Date. */
  static MessageHeaders of(Instant created) {
    return new MessageHeaders(new TreeMap<>(String.CASE_INSENSITIVE_ORDER))
        .withUnchecked(DATE, HttpDate.format(created));
  }

  /**
   * Returns a copy with the digests of a body. An empty body counts as no body and gets no digest.
   */
  MessageHeaders withBody(byte[] body, CryptoProvider crypto, Set<DigestAlgorithm> algorithms) {
    if (body.length == 0) {
      Map<String, String> copy = copy();
      copy.remove(CONTENT_DIGEST);
      return new MessageHeaders(copy);
    }
    return withUnchecked(CONTENT_DIGEST, ContentDigest.of(body, crypto, algorithms).serialize());
  }

  /**
   * Returns a copy with a field, which replaces any field of the same name.
   *
   * @throws IllegalArgumentException for a field that this class sets itself, such as Date, for an
   *     invalid name, and for a value with a line break or U+0000
   */
  MessageHeaders with(String name, String value) {
    if (SET_BY_SIGNING.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(name + " is created by signing");
    }
    // RFC 9110 section 5.1: a field's name is a token, so it never names a derived component.
    if (ComponentIdentifier.of(name.toLowerCase(Locale.ROOT)).isDerived()) {
      throw new IllegalArgumentException("a field's name must not begin with @");
    }
    if (value.indexOf('\0') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          name + " must not have a line break or U+0000 in its value");
    }
    return withUnchecked(name, value);
  }

  /** Returns the fields of the signed message: the fields here, Signature-Input and Signature. */
  Map<String, String> toMapWith(SignedFields signed) {
    return withUnchecked("Signature-Input", signed.signatureInput())
        .withUnchecked("Signature", signed.signature())
        .fields;
  }

  List<String> lines(String name) {
    String value = fields.get(name);
    return value == null ? List.of() : List.of(value);
  }

  private MessageHeaders withUnchecked(String name, String value) {
    Map<String, String> copy = copy();
    copy.put(name, value);
    return new MessageHeaders(copy);
  }

  private Map<String, String> copy() {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(fields);
    return copy;
  }
}
