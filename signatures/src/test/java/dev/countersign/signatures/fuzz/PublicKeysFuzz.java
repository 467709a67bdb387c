package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.PublicKeys;
import java.security.PublicKey;
import java.util.Optional;

/** Public keys of every algorithm, in every supported form. */
public final class PublicKeysFuzz {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  private PublicKeysFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    Optional<PublicKey> pasted = pasted(input);
    PublicKey key;
    try {
      key = PublicKeys.read(input, JDK);
    } catch (KeyFileException e) {
      return;
    }
    if (pasted.isPresent()) {
      FuzzFinding.unlessEqual(pasted.get(), key);
    }
    PublicKey again = PublicKeys.read(PublicKeys.toPem(key), JDK);
    FuzzFinding.unlessEqual(again, key);
    FuzzFinding.unlessEqual(KeyFingerprint.of(again), KeyFingerprint.of(key));
  }

  private static Optional<PublicKey> pasted(byte[] input) {
    try {
      return Optional.of(PublicKeys.readPasted(input, JDK));
    } catch (KeyFileException e) {
      return Optional.empty();
    }
  }
}
