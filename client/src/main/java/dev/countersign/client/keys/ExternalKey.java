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
 * of the time of signing. So if the key service signs with another key, or signs a hash instead of
 * the message, the error appears here and not as a refusal by the service.
 */
public final class ExternalKey implements KeySource {
  private final PreparedKey key;

  private ExternalKey(PreparedKey key) {
    this.key = key;
  }

  /**
   * Combines the public half of a key with the code that signs.
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
