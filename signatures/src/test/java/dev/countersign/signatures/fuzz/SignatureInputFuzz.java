package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.Profiles;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.fields.InnerList;
import java.time.Instant;

/** The two signature fields of a message, up to the point where a key is needed. */
public final class SignatureInputFuzz {
  private SignatureInputFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    FuzzedRequest message = FuzzedRequest.parse(new String(input, ISO_8859_1));
    ReceivedSignature received;
    try {
      received = Profiles.PARTNER_V1.read(message).checkProfile();
    } catch (VerificationException e) {
      return;
    }
    String components = ComponentIdentifier.serialize(received.components());
    FuzzFinding.unlessEqual(InnerList.parse(components).serialize(), components);
    FuzzFinding.unless(received.covers("@method") && received.covers("@target-uri"), "too few");
    FuzzFinding.unless(received.parameters().keyid().isPresent(), "without keyid");
    try {
      received
          .checkTime(Instant.ofEpochSecond(received.parameters().created().orElseThrow()))
          .checkDigest();
    } catch (VerificationException e) {
      FuzzFinding.unless(e.signatureBase().isEmpty(), "a base before any key was tried");
    }
  }
}
