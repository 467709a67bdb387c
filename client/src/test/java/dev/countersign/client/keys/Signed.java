package dev.countersign.client.keys;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignedFields;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;

/** A request that was signed with the key of a source. */
record Signed(SignedFields fields) {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  static Signed by(KeySource source) {
    SignableRequest request = SignableRequest.of("GET", "https://api.example/v1", NOW);
    return new Signed(
        new MessageSigner(PartnerProfile.REQUEST, source.signingKey("c1")).sign(request, NOW));
  }

  /** Verifies with the JDK itself, regardless of the signer. */
  boolean verifiesWith(String publicPem) throws GeneralSecurityException {
    CryptoProvider jdk = CryptoProvider.jdk();
    Signature verifier = jdk.signature("SHA256withRSA");
    verifier.initVerify(RsaPublicKeys.read(publicPem, jdk));
    verifier.update(fields.base().bytes());
    String value = fields.signature();
    return verifier.verify(
        Base64.getDecoder().decode(value.substring(value.indexOf(':') + 1, value.length() - 1)));
  }
}
