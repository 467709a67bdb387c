package dev.countersign.signatures;

import java.time.Instant;

/**
 * Remembers which nonces were used (RFC 9421 section 7.2.2).
 *
 * <p>It is asked after signature and body have verified and never before, so that nobody can use up
 * a nonce that is not theirs.
 */
@FunctionalInterface
public interface NonceRegister {

  /**
   * Takes a nonce, once. Of several calls at one time with the same keyid and nonce, one is
   * answered with true.
   *
   * @param keyid the signer, empty where the profile allows a signature without one
   * @param until after which the signature no longer passes and the nonce may be forgotten; {@link
   *     Instant#MAX} where neither {@code created} nor {@code expires} bounds it
   * @return whether the nonce was not used before
   */
  boolean claim(String keyid, String nonce, Instant until);
}
