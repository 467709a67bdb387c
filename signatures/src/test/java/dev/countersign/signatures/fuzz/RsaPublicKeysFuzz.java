package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaKeyRules;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;

/** Public keys in every supported form, and the rules for those that were read. */
public final class RsaPublicKeysFuzz {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  private RsaPublicKeysFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    Optional<RSAPublicKey> pasted = pasted(input);
    RSAPublicKey key;
    try {
      key = RsaPublicKeys.read(input, JDK);
    } catch (KeyFileException e) {
      return;
    }
    if (pasted.isPresent()) {
      FuzzFinding.unlessEqual(pasted.get(), key);
    }
    RSAPublicKey again = RsaPublicKeys.read(RsaPublicKeys.toPem(key), JDK);
    FuzzFinding.unlessEqual(again, key);
    FuzzFinding.unlessEqual(KeyFingerprint.of(again), KeyFingerprint.of(key));
    judge(key);
  }

  private static void judge(RSAPublicKey key) {
    try {
      RsaKeyRules.check(key);
    } catch (KeyFileException e) {
      FuzzFinding.unlessEqual(e.reason(), KeyFileException.Reason.WEAK);
    }
  }

  private static Optional<RSAPublicKey> pasted(byte[] input) {
    try {
      return Optional.of(RsaPublicKeys.readPasted(input, JDK));
    } catch (KeyFileException e) {
      return Optional.empty();
    }
  }
}
