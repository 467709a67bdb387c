package dev.countersign.client.keys;

import dev.countersign.signatures.ExternalSigner;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.interfaces.RSAPublicKey;

/**
 * A key that stays in a key management service, a vault or a smart card, and signs there with
 * {@code rsa-v1_5-sha256} (RFC 9421 section 3.3.2).
 *
 * <pre>{@code
 * KeySource key = ExternalKey.of(publicKey, base -> kms.sign("RSASSA_PKCS1_V1_5_SHA_256", base));
 * }</pre>
 *
 * <p>Each signature is verified with the public key before it is sent. A key service that signs
 * with another key, or signs a hash instead of the message, therefore causes an exception here and
 * not a refusal. Verifying takes about a fiftieth of the time that signing takes.
 */
public final class ExternalKey implements KeySource {
  private final PreparedKey key;

  private ExternalKey(PreparedKey key) {
    this.key = key;
  }

  /**
   * Combines the public half of a key with the code that signs.
   *
   * @throws KeyException when this public key breaks the rules for registration
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
