package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.util.List;

/**
 * Verifies requests: signature, time and body in one call.
 *
 * <pre>{@code
 * MessageVerifier verifier =
 *     new MessageVerifier(SignatureProfile.SIGNED_DATE, keys, Clock.systemUTC(), crypto);
 * VerifiedSignature signature = verifier.verify(request, body);
 * }</pre>
 *
 * <p>It keeps nothing between requests: that an unsafe request is taken once is the caller's to
 * ensure, with {@link VerifiedSignature#base()} as what identifies it.
 */
public final class MessageVerifier {
  private final SignatureProfile profile;
  private final KeyLookup keys;
  private final Clock clock;
  private final CryptoProvider crypto;

  public MessageVerifier(
      SignatureProfile profile, KeyLookup keys, Clock clock, CryptoProvider crypto) {
    this.profile = profile;
    this.keys = keys;
    this.clock = clock;
    this.crypto = crypto;
  }

  /**
   * Verifies a request and its body.
   *
   * @param body the body as received, empty when there is none
   * @throws VerificationException when anything is not as the profile demands
   */
  public VerifiedSignature verify(HttpMessage message, byte[] body) {
    ReceivedSignature received = profile.read(message);
    List<VerificationKey> found = keys.find(received.parameters().keyid().orElseThrow());
    return received.check(clock.instant()).verify(found).verifyBody(body, crypto);
  }
}
