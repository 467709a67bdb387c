package dev.countersign.server.operators.signin;

import dev.countersign.server.operators.Tokens;
import dev.countersign.server.operators.signin.PasswordHashLimiter.Lane;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Hashes passwords with Argon2id and the parameters of OWASP's Password Storage Cheat Sheet: 19
 * MiB, 2 passes, 1 lane. Use one instance per process, because each instance limits only its own
 * hashes.
 */
public final class Passwords {
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int LANES = 1;
  private static final int MEMORY_KIBIBYTES = 19 * 1024;
  private static final int PASSES = 2;
  // Checked instead of a password that is empty or too long. It is not empty, because the encoder
  // does not hash an empty text.
  private static final String NO_PASSWORD = " ";

  private final PasswordEncoder encoder;
  private final PasswordHashLimiter limiter;
  private final String dummy;

  Passwords(PasswordEncoder encoder, PasswordHashLimiter limiter, SecureRandom random) {
    this.encoder = encoder;
    this.limiter = limiter;
    // The hash of a password that nobody knows. No password matches this hash, but a check against
    // it takes as long as a check against the hash of an account.
    this.dummy = encoder.encode(new Tokens(random).secret());
  }

  /**
   * Creates an instance. For trusted callers, it computes one hash at a time. For unknown callers,
   * it computes as many hashes at once as there are processors, but at least two.
   */
  public static Passwords argon2id(SecureRandom random) {
    return new Passwords(
        new Argon2PasswordEncoder(SALT_BYTES, HASH_BYTES, LANES, MEMORY_KIBIBYTES, PASSES),
        PasswordHashLimiter.standard(),
        random);
  }

  /** Returns the hash of a new password; empty if too many callers wait. */
  public Optional<String> hash(CharSequence password) {
    return limiter.pass(Lane.TRUSTED, () -> encoder.encode(normalized(password)));
  }

  /**
   * Returns whether a password matches a hash; empty if too many callers wait. If the hash is null,
   * the method does the same work and returns false.
   */
  Optional<Boolean> matches(CharSequence password, @Nullable String hash, Lane lane) {
    String typed = PasswordRules.hasPlausibleLength(password) ? normalized(password) : NO_PASSWORD;
    String comparedHash = hash == null ? dummy : hash;
    return limiter
        .pass(lane, () -> encoder.matches(typed, comparedHash))
        .map(equal -> equal && hash != null);
  }

  /**
   * Normalizes a password, so that the same characters typed differently are the same password
   * (NIST SP 800-63B 3.1.1.2).
   */
  static String normalized(CharSequence password) {
    return Normalizer.normalize(password, Form.NFKC);
  }
}
