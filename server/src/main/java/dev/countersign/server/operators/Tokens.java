package dev.countersign.server.operators;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Creates secrets that are issued once. The database stores only the SHA-256 of a secret. Nobody
 * can compute the secret's 256 random bits from this hash. The duration of a look-up does not
 * reveal how much of a guess is right.
 */
public final class Tokens {
  private static final int SECRET_BYTES = 32;
  private static final int ID_BYTES = 15;

  private final SecureRandom random;

  public Tokens(SecureRandom random) {
    this.random = random;
  }

  /** Creates a secret: 256 random bits in base64url. */
  public String secret() {
    return text(bytes(SECRET_BYTES));
  }

  /**
   * Creates a unique identifier that is not secret: 119 random bits in base64url. It begins with a
   * letter, because a command would read an identifier that begins with {@code -} as an option.
   */
  public String id() {
    byte[] bytes = bytes(ID_BYTES);
    bytes[0] &= 0x7f;
    return text(bytes);
  }

  public static String hash(String token) {
    return Sha256.hex(CryptoProvider.jdk(), token.getBytes(UTF_8));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
