package dev.countersign.signatures;

/**
 * Makes signatures with a key that stays in a key management service, a vault or a smart card. An
 * external signer performs HTTP_SIGN of RFC 9421 section 3.3 and sees only the signature base.
 *
 * <p>{@link #sign} is called once for each message, possibly by several threads at the same time.
 */
@FunctionalInterface
public interface ExternalSigner {

  /**
   * Signs a signature base (RFC 9421 section 2.5) with the key and its algorithm.
   *
   * @param base the whole base in ASCII, not its hash: for {@code rsa-v1_5-sha256} the signer also
   *     computes SHA-256
   * @return the signature's bytes as they go into the Signature field
   * @throws SigningException when no signature can be made now; the exception's message must not
   *     contain a secret
   */
  byte[] sign(byte[] base);
}
