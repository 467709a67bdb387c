package dev.countersign.signatures;

import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.Key;
import java.security.interfaces.RSAKey;
import java.util.Arrays;
import java.util.Optional;

/** The algorithms of the HTTP Signature Algorithms registry (RFC 9421 section 6.2). */
public enum SignatureAlgorithm {
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9421 section 3.3.2). */
  RSA_V1_5_SHA256("rsa-v1_5-sha256", "SHA256withRSA");

  private final String registeredName;
  private final String jcaName;

  SignatureAlgorithm(String registeredName, String jcaName) {
    this.registeredName = registeredName;
    this.jcaName = jcaName;
  }

  /** The name in the registry and in the {@code alg} parameter. */
  public String registeredName() {
    return registeredName;
  }

  String jcaName() {
    return jcaName;
  }

  /**
   * Refuses a key that this algorithm cannot use, where it is configured and not at a request.
   *
   * @throws IllegalArgumentException for a key of another kind, or of too few bits
   */
  void checkKey(Key key) {
    // RFC 8017 section 8.2: any RSA key; one that is marked for RSASSA-PSS alone is another kind.
    if (!key.getAlgorithm().equals("RSA")) {
      throw new IllegalArgumentException(
          registeredName + " needs an RSA key, was " + key.getAlgorithm());
    }
    if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() < RsaKeyRules.MIN_BITS) {
      throw new IllegalArgumentException(
          registeredName
              + " needs a key of at least "
              + RsaKeyRules.MIN_BITS
              + " bits, was "
              + rsa.getModulus().bitLength());
    }
  }

  /** The algorithm with this registered name, which is case-sensitive. */
  public static Optional<SignatureAlgorithm> named(String registeredName) {
    return Arrays.stream(values()).filter(a -> a.registeredName.equals(registeredName)).findFirst();
  }
}
