package dev.countersign.cli.explain;

import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.base.VerificationException.Comparison;
import dev.countersign.signatures.diagnosis.BaseDifference;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;

/**
 * A request that this program signed and a service refused, with the data of the program and of the
 * service.
 *
 * @param signed the request as this program signed it
 * @param reason the reason that the service gave
 * @param detail the detail as the service sent it, possibly empty
 * @param serviceBase the signature base as the service built it; the service sends it with
 *     signature_mismatch
 * @param components the components that the service expected and received; the service sends them
 *     with components_wrong
 */
public record RefusedCall(
    SignedCall signed,
    String reason,
    String detail,
    Optional<String> serviceBase,
    Optional<Comparison> components) {
  /**
   * The likely cause in a sentence, with the first difference if the service sent its signature
   * base.
   */
  public Cause cause() {
    Optional<Reason> known = Reason.ofWord(reason);
    if (known.isEmpty()) {
      return Cause.of(unknownReason());
    }
    if (known.get() == Reason.CLIENT_MISTYPED && ClientId.isMistyped(signed.clientId())) {
      return Cause.of(MistypedClientId.explain(signed.clientId()));
    }
    if (known.get() == Reason.SIGNATURE_MISMATCH && serviceBase.isPresent()) {
      return BaseDifference.between(signed.base(), serviceBase.get())
          .map(Cause::of)
          .orElseGet(() -> Cause.of(keyMismatch()));
    }
    if (known.get() == Reason.COMPONENTS_WRONG && components.isPresent()) {
      return Cause.of(
          HeadCause.ofLists(components.get())
              + "; this program signed exactly these components, so a proxy on the way"
              + " rewrites Signature-Input or drops a header");
    }
    return Cause.of(known.get().adviceToCaller());
  }

  private String keyMismatch() {
    String mismatch =
        "both bases are equal, so the keys are not a pair: the private key that signed does not"
            + " belong to the public key registered for "
            + signed.clientId();
    return signed
        .publicKey()
        .map(key -> mismatch + "; " + adviceOnGivenKey(key))
        .orElse(mismatch + "; use that client's key, or have this key's public half registered");
  }

  private String adviceOnGivenKey(RSAPublicKey key) {
    return signed.isSignedBy(key)
        ? "the public key that you gave belongs to the private key: have that public key registered"
        : "the public key that you gave does not belong to the private key either, so this is the"
            + " wrong private key";
  }

  private String unknownReason() {
    if (!reason.startsWith("http_")) {
      return detail.isEmpty() ? "this program does not know the reason " + reason : detail;
    }
    List<String> redirects = List.of("http_301", "http_302", "http_303", "http_307", "http_308");
    return redirects.contains(reason)
        ? "the response is a redirect, but a signature is for one URL: call the URL in Location"
        : "the response is not a problem document, so something between here and the service sent"
            + " it: check the base URL, and look for a proxy or gateway";
  }
}
