package dev.countersign.signatures.keys;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;

/** One fresh pair a test run, in every form that needs no other program. */
final class TestKeys {
  private static final KeyPair PAIR = pair();
  static final RSAPrivateCrtKey PRIVATE = (RSAPrivateCrtKey) PAIR.getPrivate();
  static final RSAPublicKey PUBLIC = (RSAPublicKey) PAIR.getPublic();
  static final String PRIVATE_PEM = RsaPrivateKeys.toPem(PRIVATE);
  static final String PUBLIC_PEM = RsaPublicKeys.toPem(PUBLIC);

  private TestKeys() {}

  static byte[] pkcs1Private() {
    // version, AlgorithmIdentifier and the header of the OCTET STRING take 26 bytes for 2048 bits.
    return Arrays.copyOfRange(PRIVATE.getEncoded(), 26, PRIVATE.getEncoded().length);
  }

  static byte[] pkcs1Public() {
    return Arrays.copyOfRange(PUBLIC.getEncoded(), 24, PUBLIC.getEncoded().length);
  }

  static String bare(byte[] der) {
    return Base64.getEncoder().encodeToString(der);
  }

  private static KeyPair pair() {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }
}
