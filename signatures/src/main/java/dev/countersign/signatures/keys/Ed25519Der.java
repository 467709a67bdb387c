package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/**
 * The structures around an Ed25519 key (<a
 * href="https://www.rfc-editor.org/rfc/rfc8410#section-4">RFC 8410, sections 4 and 7</a>).
 */
final class Ed25519Der {
  // The length of a private key's seed, and of a public key's encoded point.
  private static final int BYTES = 32;
  private static final String NAME = "Ed25519";

  private Ed25519Der() {}

  static PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider) {
    requireNoParameters(info.algorithm());
    return publicKey(info.key(), provider);
  }

  static PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider) {
    requireNoParameters(info.algorithm());
    Der content = info.key();
    byte[] seed = bytes(content.enter(Der.OCTET_STRING));
    content.requireEnd();
    KeyFactory factory = provider.keyFactory(NAME);
    PrivateKey key =
        ProviderKey.of(
            new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed),
            factory::generatePrivate,
            factory);
    info.publicKey()
        .ifPresent(half -> ProviderKey.requirePair(key, publicKey(half, provider), NAME, provider));
    return key;
  }

  private static PublicKey publicKey(Der content, CryptoProvider provider) {
    EdECPoint point = point(bytes(content));
    Ed25519KeyRules.check(point);
    KeyFactory factory = provider.keyFactory(NAME);
    return ProviderKey.of(
        new EdECPublicKeySpec(NamedParameterSpec.ED25519, point), factory::generatePublic, factory);
  }

  /** RFC 8032, 5.1.2: y in little-endian order, with the parity of x in the highest bit. */
  private static EdECPoint point(byte[] octets) {
    byte[] y = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      y[i] = octets[BYTES - 1 - i];
    }
    boolean odd = y[0] < 0;
    y[0] &= 0x7f;
    return new EdECPoint(odd, new BigInteger(1, y));
  }

  private static byte[] bytes(Der content) {
    byte[] bytes = content.rest();
    if (bytes.length != BYTES) {
      throw new KeyFileException(
          MALFORMED, "an Ed25519 key must have " + BYTES + " bytes, has " + bytes.length);
    }
    return bytes;
  }

  // RFC 8410, 3: the parameters must be absent; not even NULL is allowed.
  private static void requireNoParameters(AlgorithmIdentifier algorithm) {
    algorithm.parameters().requireEnd();
  }
}
