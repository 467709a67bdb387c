package dev.countersign.signatures;

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

  /** The algorithm with this registered name, which is case-sensitive. */
  public static Optional<SignatureAlgorithm> named(String registeredName) {
    return Arrays.stream(values()).filter(a -> a.registeredName.equals(registeredName)).findFirst();
  }
}
