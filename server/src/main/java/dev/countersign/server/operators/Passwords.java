package dev.countersign.server.operators;

import dev.countersign.server.operators.HashGate.Lane;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Hashes passwords by Argon2id with the parameters that OWASP's Password Storage Cheat Sheet asks
 * for: 19 MiB, 2 passes, 1 lane. One object serves the whole process, as it bounds the hashes that
 * run at once.
 */
public final class Passwords {
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int LANES = 1;
  private static final int KIBIBYTES = 19 * 1024;
  private static final int PASSES = 2;
  // Too short to be anybody's; the encoder would not hash an empty one at all.
  private static final String NO_PASSWORD = " ";

  private final PasswordEncoder encoder;
  private final HashGate gate;
  private final String dummy;

  Passwords(PasswordEncoder encoder, HashGate gate, SecureRandom random) {
    this.encoder = encoder;
    this.gate = gate;
    // Nobody knows this password, so nothing ever matches it; checking takes as long as any.
    this.dummy = encoder.encode(new Tokens(random).secret());
  }

  /** Argon2id, as many at once as there are processors and at least two. */
  public static Passwords argon2id(SecureRandom random) {
    return new Passwords(
        new Argon2PasswordEncoder(SALT_BYTES, HASH_BYTES, LANES, KIBIBYTES, PASSES),
        HashGate.standard(),
        random);
  }

  /** The hash of a new password; empty when too many wait. */
  Optional<String> hash(CharSequence password) {
    return gate.pass(Lane.TRUSTED, () -> encoder.encode(normalized(password)));
  }

  /**
   * Whether a password is the one of a hash; empty when too many wait. It does the same work where
   * there is no hash.
   */
  Optional<Boolean> matches(CharSequence password, @Nullable String hash, Lane lane) {
    String typed = PasswordRules.canBe(password) ? normalized(password) : NO_PASSWORD;
    String against = hash == null ? dummy : hash;
    return gate.pass(lane, () -> encoder.matches(typed, against))
        .map(equal -> equal && hash != null);
  }

  /** The same characters typed in another way are the same password (NIST SP 800-63B 3.1.1.2). */
  static String normalized(CharSequence password) {
    return Normalizer.normalize(password, Form.NFKC);
  }
}
