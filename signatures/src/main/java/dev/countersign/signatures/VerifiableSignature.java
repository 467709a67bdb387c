package dev.countersign.signatures;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.List;

/**
 * A received signature that has passed every check that needs no key. It must not be trusted yet.
 * {@link FreshSignature#checkDigest} creates it, and {@link #verify} is the next step.
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
   * arrived yet, because the signature base contains Content-Digest instead of the body.
   *
   * @param keys the live keys of the client: usually one key, and two keys during a rotation
   * @throws VerificationException {@link VerificationFailure#SIGNATURE_MISMATCH} when no key
   *     verifies the signature, {@link VerificationFailure#KEY_UNKNOWN} when there is no key,
   *     {@link VerificationFailure#ALGORITHM_WRONG} when no key has an algorithm that both the
   *     message and the profile allow
   */
  public VerifiedHead verify(List<VerificationKey> keys) {
    return new VerifiedHead(received, received.verify(keys), expectedBody);
  }
}
