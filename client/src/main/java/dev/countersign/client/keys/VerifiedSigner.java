package dev.countersign.client.keys;

import dev.countersign.signatures.ExternalSigner;
import dev.countersign.signatures.SigningException;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.InvalidKeyException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;

/** A signer that verifies each signature before returning it. */
final class VerifiedSigner implements ExternalSigner {
  private final CryptoProvider crypto = CryptoProvider.jdk();
  private final RSAPublicKey publicKey;
  private final ExternalSigner signer;

  VerifiedSigner(RSAPublicKey publicKey, ExternalSigner signer) {
    // Reads the key again from its bytes, because the key must belong to the verifying provider.
    this.publicKey = RsaPublicKeys.read(publicKey.getEncoded(), crypto);
    this.signer = signer;
  }

  RSAPublicKey publicKey() {
    return publicKey;
  }

  @Override
  public byte[] sign(byte[] base) {
    byte[] signature = signed(base);
    if (!verifies(base, signature)) {
      throw new SigningException(
          "the signature of the external signer does not verify with the public key: the signer has"
              + " another key, or does not sign the whole base with RSASSA-PKCS1-v1_5 and SHA-256");
    }
    return signature;
  }

  private byte[] signed(byte[] base) {
    byte[] signature;
    try {
      signature = signer.sign(base.clone());
    } catch (KeyException | SigningException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new SigningException(
          "the external signer failed with " + e.getClass().getSimpleName(), e);
    }
    if (signature == null || signature.length == 0) {
      throw new SigningException("the external signer returned no signature");
    }
    return signature;
  }

  private boolean verifies(byte[] base, byte[] signature) {
    try {
      Signature verifier = crypto.signature("SHA256withRSA");
      verifier.initVerify(publicKey);
      verifier.update(base);
      return verifier.verify(signature);
    } catch (InvalidKeyException | SignatureException e) {
      return false;
    }
  }
}
