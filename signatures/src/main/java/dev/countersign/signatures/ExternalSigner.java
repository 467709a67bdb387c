package dev.countersign.signatures;

/**
 * Makes signatures with a key that stays where it is: in a key management service, a vault, a smart
 * card. It does the HTTP_SIGN of RFC 9421 section 3.3 and sees nothing but the signature base.
 *
 * <p>It is called for each message, from whichever thread signs it, several at a time.
 */
@FunctionalInterface
public interface ExternalSigner {

  /**
   * Signs a signature base (RFC 9421 section 2.5) as the key's algorithm says.
   *
   * @param base the whole base in ASCII, not its hash: for {@code rsa-v1_5-sha256} SHA-256 is part
   *     of what the signer does
   * @return the signature's bytes as they go into the Signature field
   * @throws SigningException when there is no signature now, with a message that holds no secret
   */
  byte[] sign(byte[] base);
}
