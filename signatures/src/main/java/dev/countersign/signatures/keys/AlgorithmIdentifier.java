package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;

import java.util.Map;

/**
 * The algorithm of a key, as written before the key: an object identifier and parameters (<a
 * href="https://www.rfc-editor.org/rfc/rfc5280#section-4.1.1.2">RFC 5280, section 4.1.1.2</a>).
 */
final class AlgorithmIdentifier {
  // Algorithms that are known but not supported, by object identifier in hexadecimal.
  private static final Map<String, String> UNSUPPORTED =
      Map.of(
          "2a8648ce380401", "a DSA key",
          "2b6571", "an Ed448 key",
          "2b656e", "an X25519 key",
          "2b656f", "an X448 key",
          "2a864886f70d010301", "a Diffie-Hellman key");

  private final String oid;
  private final Der parameters;

  private AlgorithmIdentifier(String oid, Der parameters) {
    this.oid = oid;
    this.parameters = parameters;
  }

  static AlgorithmIdentifier read(Der holder) {
    Der content = holder.enter(Der.SEQUENCE);
    return new AlgorithmIdentifier(content.objectIdentifier(), content);
  }

  /** The parameters after the object identifier; the caller must read them to their end. */
  Der parameters() {
    return parameters;
  }

  boolean is(KeyAlgorithm algorithm) {
    return KeyAlgorithm.of(oid).filter(algorithm::equals).isPresent();
  }

  /**
   * Returns the algorithm of the key.
   *
   * @throws KeyFileException when this library does not support the algorithm
   */
  KeyAlgorithm keyAlgorithm() {
    return KeyAlgorithm.of(oid)
        .orElseThrow(
            () ->
                new KeyFileException(
                    ALGORITHM_UNSUPPORTED,
                    "the key is "
                        + description()
                        + "; an RSA, EC or Ed25519 key is needed: "
                        + KeyAlgorithm.NEW_KEY_COMMAND));
  }

  /** A short description of the key, for a message. */
  String description() {
    return KeyAlgorithm.of(oid)
        .map(KeyAlgorithm::description)
        .orElseGet(() -> UNSUPPORTED.getOrDefault(oid, "of another algorithm"));
  }
}
