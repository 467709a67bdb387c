package dev.countersign.client.keys;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.RSAPublicKey;

/** Keys of the JDK's own provider, for tests that pass them to ours. */
final class AnyKeys {
  private AnyKeys() {}

  static PrivateKey privateKey(Path file) {
    return RsaPrivateKeys.readFile(file, CryptoProvider.jdk());
  }

  static RSAPublicKey publicKey(NewKeyPair pair) {
    return RsaPublicKeys.read(pair.publicPem(), CryptoProvider.jdk());
  }
}
