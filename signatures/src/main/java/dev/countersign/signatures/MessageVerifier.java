package dev.countersign.signatures;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a message in one call: its signature, its time, its body and, if a {@link NonceRegister}
 * is set, its nonce.
 *
 * <pre>{@code
 * MessageVerifier verifier =
 *     new MessageVerifier(
 *         SignatureProfile.covering("@method", "@target-uri"), keys, Clock.systemUTC(), crypto);
 * VerifiedSignature signature = verifier.verify(request, body);
 * }</pre>
 *
 * <p>A verifier keeps no state between messages. The caller must make sure that an unsafe request,
 * such as a POST, is accepted only once: set a {@link NonceRegister}, or remember the {@link
 * VerifiedSignature#base()}, which identifies the request.
 */
public final class MessageVerifier {
  private final SignatureProfile profile;
  private final KeyLookup keys;
  private final Clock clock;
  private final CryptoProvider crypto;
  private final @Nullable NonceRegister nonces;

  public MessageVerifier(
      SignatureProfile profile, KeyLookup keys, Clock clock, CryptoProvider crypto) {
    this(profile, keys, clock, crypto, null);
  }

  private MessageVerifier(
      SignatureProfile profile,
      KeyLookup keys,
      Clock clock,
      CryptoProvider crypto,
      @Nullable NonceRegister nonces) {
    this.profile = profile;
    this.keys = keys;
    this.clock = clock;
    this.crypto = crypto;
    this.nonces = nonces;
  }

  /** Returns a copy that requires each signature to have an unused nonce. */
  public MessageVerifier withNonceRegister(NonceRegister register) {
    return new MessageVerifier(
        profile.withRequiredParameters("nonce"), keys, clock, crypto, register);
  }

  /**
   * Verifies a message and its body.
   *
   * @param body the body as received, empty when there is none
   * @throws VerificationException when the message does not meet the requirements of the profile
   */
  public VerifiedSignature verify(HttpMessage message, byte[] body) {
    return claimNonce(message, verifyHead(message).verifyBody(body, crypto));
  }

  /**
   * Verifies a message and its body of any size. Reads the stream to its end, in constant memory,
   * and does not close it.
   *
   * @throws VerificationException when the message does not meet the requirements of the profile
   * @throws IOException when the stream fails
   */
  public VerifiedSignature verify(HttpMessage message, InputStream body) throws IOException {
    return claimNonce(message, verifyHead(message).verifyBody(body, crypto));
  }

  private VerifiedHead verifyHead(HttpMessage message) {
    ReceivedSignature received = profile.read(message).checkProfile();
    // The keys are looked up after the checks that cost nothing.
    return received.checkTime(clock.instant()).checkDigest().verify(keysFor(received.parameters()));
  }

  private List<VerificationKey> keysFor(SignatureParameters parameters) {
    return parameters.keyid().map(keys::find).orElseGet(keys::findWithoutKeyid);
  }

  private VerifiedSignature claimNonce(HttpMessage message, VerifiedSignature verified) {
    if (nonces != null) {
      // The signature may expire while a slow body arrives. The register may then have forgotten
      // the nonce, so the time is checked again.
      profile.window().check(verified.received(), message, clock.instant());
      claim(verified.parameters(), nonces);
    }
    return verified;
  }

  private void claim(SignatureParameters parameters, NonceRegister nonces) {
    Optional<String> nonce = parameters.nonce();
    if (!nonces.claim(parameters.keyid().orElse(""), nonce.orElseThrow(), endOf(parameters))) {
      throw new VerificationException(
          VerificationFailure.NONCE_USED,
          "the nonce was used before; sign each message with a new nonce");
    }
  }

  private Instant endOf(SignatureParameters parameters) {
    OptionalLong created = parameters.created();
    OptionalLong expires = parameters.expires();
    Instant end =
        created.isPresent()
            ? profile.endOf(Instant.ofEpochSecond(created.getAsLong()))
            : Instant.MAX;
    return expires.isPresent() && expires.getAsLong() < end.getEpochSecond()
        ? Instant.ofEpochSecond(expires.getAsLong())
        : end;
  }
}
