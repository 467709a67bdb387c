package dev.countersign.cli.explain;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerifiableSignature;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.diagnosis.LikelyCause;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks a captured request against each rule of the interface, and explains which rule it breaks.
 */
public final class CapturedCheck {
  private final CapturedRequest request;
  private final Hints hints;
  private final CapturedSignature signature;
  private final CapturedBodyDigest digest;

  private CapturedCheck(CapturedRequest request, Hints hints) {
    this.request = request;
    this.hints = hints;
    this.signature = CapturedSignature.of(request);
    this.digest = CapturedBodyDigest.of(request);
  }

  /** Explains a request with the help of known facts. */
  public static Explanation explain(CapturedRequest request, Hints hints) {
    return new CapturedCheck(request, hints).explanation();
  }

  /**
   * The signature base that this program builds from a request as received; empty if the signature
   * fields do not describe a signature base.
   */
  public static Optional<String> base(CapturedRequest request) {
    return CapturedSignature.of(request).base().map(EditableBase::text);
  }

  /** The time in the signature's {@code created}; 1970 if the signature has none. */
  public static Instant created(CapturedRequest request) {
    return Instant.ofEpochSecond(CapturedSignature.of(request).created().orElse(0));
  }

  private Explanation explanation() {
    Optional<Objection> objection = objection();
    RuleReport ruleReport = new RuleReport(signature, digest, hints);
    List<Finding> all = new ArrayList<>();
    for (ProfileRule rule : ProfileRule.values()) {
      all.add(ruleReport.of(rule, objection));
    }
    CauseFinder causeFinder = new CauseFinder(request, signature, digest, hints);
    Optional<String> base = signature.base().map(EditableBase::text);
    if (objection.isPresent()) {
      return new Explanation(
          all, base, objection.get().reason().word(), Optional.of(causeFinder.of(objection.get())));
    }
    return hints
        .publicKey()
        .map(key -> signature.signedBase(key).map(EditableBase::text))
        .map(signed -> new Explanation(all, signed, Explanation.VERIFIED, Optional.empty()))
        .orElseGet(
            () ->
                new Explanation(
                    all,
                    base,
                    Explanation.NOT_CHECKED,
                    Optional.of(causeFinder.withoutPublicKey())));
  }

  /**
   * Returns the reason why a service refuses the host of a request before it looks at the
   * signature; empty if it accepts the host.
   */
  public static Optional<String> refusedHost(CapturedRequest request) {
    String host = request.host();
    // RFC 9112 section 3.2: Host equals the authority of a request target in absolute form.
    return HostName.problem(host)
        .or(
            () ->
                request.fieldLines("host").stream()
                    .findFirst()
                    .filter(header -> !header.equals(host))
                    .map(header -> "the Host header differs from the host of the request target"));
  }

  /** The first objection that a service would have to the request. */
  private Optional<Objection> objection() {
    Optional<String> host = refusedHost(request);
    if (host.isPresent()) {
      return Optional.of(new Objection(ProfileRule.HOST, Reason.REQUEST_MALFORMED, host.get()));
    }
    try {
      ReceivedSignature received = PartnerProfile.REQUEST.read(request).checkProfile();
      Optional<Objection> own = ownObjection(received);
      if (own.isPresent()) {
        return own;
      }
      Instant created = Instant.ofEpochSecond(received.parameters().created().orElseThrow());
      return verify(received.checkTime(hints.at().orElse(created)).checkDigest());
    } catch (VerificationException refusal) {
      return Optional.of(Objection.of(refusal));
    }
  }

  /** Objections that this class explains better than the verifier does. */
  private static Optional<Objection> ownObjection(ReceivedSignature received) {
    String keyid = received.parameters().keyid().orElseThrow();
    if (ClientId.isMistyped(keyid)) {
      return Optional.of(
          new Objection(
              ProfileRule.KEYID, Reason.CLIENT_MISTYPED, MistypedClientId.explain(keyid)));
    }
    long created = received.parameters().created().orElseThrow();
    return HeadCause.isInMilliseconds(created)
        ? Optional.of(
            new Objection(
                ProfileRule.TIME,
                Reason.CREATED_IN_FUTURE,
                LikelyCause.CREATED_IN_MILLISECONDS.sentence()))
        : Optional.empty();
  }

  private Optional<Objection> verify(VerifiableSignature verifiable) {
    CryptoProvider crypto = CryptoProvider.jdk();
    hints
        .publicKey()
        .map(key -> new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, key, crypto))
        .ifPresent(key -> verifiable.verify(List.of(key)).verifyBody(request.body(), crypto));
    // Even without a public key, the digest shows whether the body was changed after it was hashed.
    return digest.differs()
        ? Optional.of(
            new Objection(
                ProfileRule.BODY,
                Reason.DIGEST_MISMATCH,
                "the body does not match the digest that was sent"))
        : Optional.empty();
  }
}
