package dev.countersign.client.keys;

import dev.countersign.signatures.ExternalSigner;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.interfaces.RSAPublicKey;

/**
 * A key that stays in a key management service, a vault or a card, and signs there: {@code
 * rsa-v1_5-sha256} (RFC 9421 section 3.3.2).
 *
 * <pre>{@code
 * KeySource key = ExternalKey.of(publicKey, base -> kms.sign("RSASSA_PKCS1_V1_5_SHA_256", base));
 * }</pre>
 *
 * <p>Each signature is verified with the public key before it is sent, which costs about a fiftieth
 * of what making it does: a service that signs with another key, or signs a hash where it was given
 * the message, is found out here and not by a refusal.
 */
public final class ExternalKey implements KeySource {
  private final PreparedKey key;

  private ExternalKey(PreparedKey key) {
    this.key = key;
  }

  /**
   * A key by its public half and what signs with it.
   *
   * @throws KeyException when no service would register this public key
   */
  public static ExternalKey of(RSAPublicKey publicKey, ExternalSigner signer) {
    try {
      RsaKeyRules.check(publicKey);
    } catch (KeyFileException e) {
      throw new KeyException("the public key: " + e.getMessage());
    }
    return new ExternalKey(PreparedKey.of(new VerifiedSigner(publicKey, signer)));
  }

  @Override
  public SigningKey signingKey(String clientId) {
    return key.as(clientId);
  }
}
