package dev.countersign.cli.explain;

import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.base.VerificationException.Comparison;
import dev.countersign.signatures.diagnosis.BaseDifference;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;

/**
 * A request that this program signed and a service refused, with both sides' data.
 *
 * @param signed what was signed here
 * @param reason of the service
 * @param detail as the service says it, possibly empty
 * @param servicesBase the base as the service built it, which it reports with signature_mismatch
 * @param components what it expected and received, which it reports with components_wrong
 */
public record RefusedCall(
    SignedCall signed,
    String reason,
    String detail,
    Optional<String> servicesBase,
    Optional<Comparison> components) {
  /** The likely cause in a sentence, with the first difference if there are two bases. */
  public Cause cause() {
    Optional<Reason> known = Reason.ofWord(reason);
    if (known.isEmpty()) {
      return Cause.of(unknown());
    }
    if (known.get() == Reason.CLIENT_MISTYPED && ClientId.isMistyped(signed.clientId())) {
      return Cause.of(MistypedClientId.explain(signed.clientId()));
    }
    if (known.get() == Reason.SIGNATURE_MISMATCH && servicesBase.isPresent()) {
      return BaseDifference.between(signed.base(), servicesBase.get())
          .map(Cause::of)
          .orElseGet(() -> Cause.of(noPair()));
    }
    if (known.get() == Reason.COMPONENTS_WRONG && components.isPresent()) {
      return Cause.of(
          HeadCause.ofLists(components.get())
              + "; they were signed so here, something on the way rewrites Signature-Input or drops"
              + " a header");
    }
    return Cause.of(known.get().adviceToCaller());
  }

  private String noPair() {
    String what =
        "both bases are equal, so the keys are no pair: the private key that signed is not the"
            + " other half of the public key registered for "
            + signed.clientId();
    return signed
        .publicKey()
        .map(key -> what + "; " + inHand(key))
        .orElse(what + "; use that client's key, or have the public half of this one registered");
  }

  private String inHand(RSAPublicKey key) {
    return signed.isSignedBy(key)
        ? "the public key given is its other half, have that one registered"
        : "the public key given is not its other half either, so this is the wrong private key";
  }

  private String unknown() {
    if (!reason.startsWith("http_")) {
      return detail.isEmpty() ? "this program does not know the reason " + reason : detail;
    }
    List<String> redirects = List.of("http_301", "http_302", "http_303", "http_307", "http_308");
    return redirects.contains(reason)
        ? "the answer is a redirect, which a signature does not survive: call the URL in Location"
        : "the answer is no problem document, so something between here and the service gave it:"
            + " check the base URL, and look for a proxy or gateway";
  }
}
