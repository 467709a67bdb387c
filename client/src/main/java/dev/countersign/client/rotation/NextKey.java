package dev.countersign.client.rotation;

import dev.countersign.client.keys.KeySource;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPublicKey;

/** The new key, and whether an earlier rotation may have sent it to the service. */
final class NextKey {
  private final KeySource source;
  private final RSAPublicKey publicKey;
  private final boolean resumed;

  NextKey(RotationKey key, boolean resumed) {
    this.source = key.source();
    this.publicKey = key.publicKey();
    this.resumed = resumed;
  }

  KeySource source() {
    return source;
  }

  String publicPem() {
    return RsaPublicKeys.toPem(publicKey);
  }

  String fingerprint() {
    return KeyFingerprint.of(publicKey).value();
  }

  boolean resumed() {
    return resumed;
  }
}
