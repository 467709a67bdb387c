package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static java.math.BigInteger.ONE;

import java.math.BigInteger;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hash and the salt length that an RSASSA-PSS key is bound to (<a
 * href="https://www.rfc-editor.org/rfc/rfc4055#section-3.1">RFC 4055, section 3.1</a>).
 */
final class PssParameters {
  private static final String MGF1 = "2a864886f70d010108";
  private static final Map<String, String> HASHES =
      Map.of(
          "2b0e03021a", "SHA-1",
          "608648016503040204", "SHA-224",
          "608648016503040201", "SHA-256",
          "608648016503040202", "SHA-384",
          "608648016503040203", "SHA-512");
  // RFC 4055, 3.1: the defaults of fields that are omitted.
  private static final String DEFAULT_HASH = "SHA-1";
  private static final int DEFAULT_SALT_LENGTH = 20;
  // The salt length must be a number of at most 12 bits, so the salt has at most 4095 bytes.
  private static final int MAX_BITS_OF_SALT_LENGTH = 12;

  private PssParameters() {}

  /** Reads the parameters. Returns null if the key is not bound to any. */
  static @Nullable PSSParameterSpec read(Der parameters) {
    if (parameters.isAtEnd()) {
      return null;
    }
    Der fields = parameters.enter(Der.SEQUENCE);
    parameters.requireEnd();
    String hash = fields.nextIs(Der.context(0)) ? hash(explicit(fields, 0)) : DEFAULT_HASH;
    String mgf1Hash = fields.nextIs(Der.context(1)) ? mgf1Hash(explicit(fields, 1)) : DEFAULT_HASH;
    int saltLength =
        fields.nextIs(Der.context(2)) ? saltLength(explicit(fields, 2)) : DEFAULT_SALT_LENGTH;
    if (fields.nextIs(Der.context(3)) && !number(explicit(fields, 3)).equals(ONE)) {
      throw new KeyFileException(MALFORMED, "the trailer field of the RSASSA-PSS key must be 1");
    }
    fields.requireEnd();
    return new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(mgf1Hash), saltLength, 1);
  }

  private static Der explicit(Der fields, int number) {
    return fields.enter(Der.context(number));
  }

  private static String mgf1Hash(Der field) {
    Der generator = field.enter(Der.SEQUENCE);
    field.requireEnd();
    if (!generator.objectIdentifier().equals(MGF1)) {
      throw unsupported("mask generation function");
    }
    return hash(generator);
  }

  private static String hash(Der field) {
    Der algorithm = field.enter(Der.SEQUENCE);
    field.requireEnd();
    String hash = HASHES.get(algorithm.objectIdentifier());
    // RFC 4055, 2.1: the parameters of a hash are NULL or omitted.
    algorithm.skipIfPresent(Der.NULL);
    algorithm.requireEnd();
    if (hash == null) {
      throw unsupported("hash");
    }
    return hash;
  }

  private static int saltLength(Der field) {
    BigInteger length = number(field);
    if (length.bitLength() > MAX_BITS_OF_SALT_LENGTH) {
      throw new KeyFileException(MALFORMED, "the salt of the RSASSA-PSS key is too long");
    }
    return length.intValue();
  }

  private static BigInteger number(Der field) {
    BigInteger number = field.integer();
    field.requireEnd();
    return number;
  }

  private static KeyFileException unsupported(String what) {
    return new KeyFileException(
        ALGORITHM_UNSUPPORTED,
        "the RSASSA-PSS key is bound to an unsupported "
            + what
            + "; MGF1 with SHA-256, SHA-384 or SHA-512 is supported");
  }
}
