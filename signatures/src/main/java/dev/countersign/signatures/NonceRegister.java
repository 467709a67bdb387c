package dev.countersign.signatures;

import java.time.Instant;

/**
 * Remembers the nonces that were used (RFC 9421 section 7.2.2).
 *
 * <p>It is called only after signature and body have verified, so that nobody can use up the nonces
 * of others.
 */
@FunctionalInterface
public interface NonceRegister {

  /**
   * Claims a nonce. Of several simultaneous calls with the same keyid and nonce, exactly one
   * returns true.
   *
   * @param keyid the signer, empty if the profile allows a signature without one
   * @param until the nonce may be forgotten after this instant, because the signature is no longer
   *     accepted then; {@link Instant#MAX} if neither {@code created} nor {@code expires} limits it
   * @return whether the nonce was not used before
   */
  boolean claim(String keyid, String nonce, Instant until);
}
