package dev.countersign.signatures;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes nonces (RFC 9421 section 2.3): 128 random bits in base64url. */
final class Nonces {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private Nonces() {}

  static String next() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
