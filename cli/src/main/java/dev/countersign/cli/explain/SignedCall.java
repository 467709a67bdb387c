package dev.countersign.cli.explain;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.httpclient.HttpClientRequest;
import java.net.http.HttpRequest;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;

/**
 * A request that this program signed, read back as a service will read it.
 *
 * @param publicKey the key that the caller believes to be registered; empty if none was given
 */
public record SignedCall(HttpRequest request, String clientId, Optional<RSAPublicKey> publicKey) {
  private static final String LABEL = PartnerProfile.REQUEST.label();

  /** The base that was signed. */
  public String base() {
    String params = Dictionary.parse(lines("Signature-Input")).textOf(LABEL).orElseThrow();
    return SignatureBase.of(
            SignatureInput.parse(params),
            HttpClientRequest.of(request),
            StructuredFieldRegistry.registered())
        .text();
  }

  /** Returns whether this public key belongs to the private key that signed the request. */
  boolean isSignedBy(RSAPublicKey key) {
    return Dictionary.parse(lines("Signature"))
        .get(LABEL)
        .map(member -> ((ByteSequence) ((Item) member).value()).bytes())
        .flatMap(signature -> SignedDigest.read(signature, key))
        .filter(signed -> signed.isOf(base()))
        .isPresent();
  }

  private List<String> lines(String name) {
    return request.headers().allValues(name);
  }
}
