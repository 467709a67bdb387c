package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import java.security.PrivateKey;

/** Private keys of every algorithm: a text that is read as one is never read as a public key. */
public final class PrivateKeysFuzz {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  private PrivateKeysFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    PrivateKey key;
    try {
      key = PrivateKeys.read(input, JDK);
    } catch (KeyFileException e) {
      return;
    }
    FuzzFinding.unlessEqual(PrivateKeys.read(PrivateKeys.toPem(key), JDK), key);
    try {
      PublicKeys.read(input, JDK);
    } catch (KeyFileException e) {
      FuzzFinding.unlessEqual(e.reason(), KeyFileException.Reason.PRIVATE_KEY);
      return;
    }
    FuzzFinding.unless(false, "a private key was read as a public one");
  }
}
