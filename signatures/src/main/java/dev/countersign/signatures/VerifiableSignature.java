package dev.countersign.signatures;

import java.util.List;

/**
 * A received signature that has passed every check that needs no key; still not to be trusted.
 * {@link TimelySignature#checkDigest} makes it, {@link #verify} takes it further.
 */
public final class VerifiableSignature {
  private final ReceivedSignature received;
  private final ExpectedBody expectedBody;

  VerifiableSignature(ReceivedSignature received, ExpectedBody expectedBody) {
    this.received = received;
    this.expectedBody = expectedBody;
  }

  /**
   * Verifies the signature with any of the keys (RFC 9421 section 3.2). The body need not have
   * arrived: the base holds its digest's header alone.
   *
   * @param keys the live keys of the client, usually one, two while it rotates
   * @throws VerificationException {@link Failure#SIGNATURE_MISMATCH} when none of them verifies it,
   *     {@link Failure#KEY_UNKNOWN} when there is none, {@link Failure#ALGORITHM_WRONG} when none
   *     is for the algorithm of the message and the profile
   */
  public AuthenticHead verify(List<VerificationKey> keys) {
    return new AuthenticHead(received, received.verify(keys), expectedBody);
  }
}
