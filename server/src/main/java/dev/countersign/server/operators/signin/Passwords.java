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
 * Hashes passwords with Argon2id with the parameters of OWASP's Password Storage Cheat Sheet: 19
 * MiB, 2 passes, 1 lane. Use one instance per process: it limits the hashes that run at once.
 */
public final class Passwords {
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int LANES = 1;
  private static final int KIBIBYTES = 19 * 1024;
  private static final int PASSES = 2;
  // Replaces a password of an impossible length; the encoder does not hash an empty one.
  private static final String NO_PASSWORD = " ";

  private final PasswordEncoder encoder;
  private final PasswordHashLimiter gate;
  private final String dummy;

  Passwords(PasswordEncoder encoder, PasswordHashLimiter gate, SecureRandom random) {
    this.encoder = encoder;
    this.gate = gate;
    // Nobody knows this password, so nothing matches it, and checking takes as long as for a real
    // one.
    this.dummy = encoder.encode(new Tokens(random).secret());
  }

  /**
   * Hashes with Argon2id, with as many hashes at once as there are processors, but at least two.
   */
  public static Passwords argon2id(SecureRandom random) {
    return new Passwords(
        new Argon2PasswordEncoder(SALT_BYTES, HASH_BYTES, LANES, KIBIBYTES, PASSES),
        PasswordHashLimiter.standard(),
        random);
  }

  /** Returns the hash of a new password; empty if too many callers wait. */
  public Optional<String> hash(CharSequence password) {
    return gate.pass(Lane.TRUSTED, () -> encoder.encode(normalized(password)));
  }

  /**
   * Returns whether a password matches a hash; empty if too many callers wait. Without a hash it
   * does the same work and returns false.
   */
  Optional<Boolean> matches(CharSequence password, @Nullable String hash, Lane lane) {
    String typed = PasswordRules.canBe(password) ? normalized(password) : NO_PASSWORD;
    String against = hash == null ? dummy : hash;
    return gate.pass(lane, () -> encoder.matches(typed, against))
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
