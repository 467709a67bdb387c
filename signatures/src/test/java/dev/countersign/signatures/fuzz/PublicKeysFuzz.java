package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.PublicKeys;
import java.security.PublicKey;

/** Public keys of every algorithm, in every supported form. */
public final class PublicKeysFuzz {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  private PublicKeysFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    PublicKey key;
    try {
      key = PublicKeys.read(input, JDK);
    } catch (KeyFileException e) {
      return;
    }
    PublicKey again = PublicKeys.read(PublicKeys.toPem(key), JDK);
    FuzzFinding.unlessEqual(again, key);
    FuzzFinding.unlessEqual(KeyFingerprint.of(again), KeyFingerprint.of(key));
  }
}
