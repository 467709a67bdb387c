package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPrivateCrtKey;

/** Private keys: a text that is read as one is never read as a public key. */
public final class RsaPrivateKeysFuzz {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  private RsaPrivateKeysFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    RSAPrivateCrtKey key;
    try {
      key = RsaPrivateKeys.read(input, JDK);
    } catch (KeyFileException e) {
      return;
    }
    FuzzFinding.unlessEqual(RsaPrivateKeys.read(RsaPrivateKeys.toPem(key), JDK), key);
    try {
      RsaPublicKeys.read(input, JDK);
    } catch (KeyFileException e) {
      FuzzFinding.unlessEqual(e.reason(), KeyFileException.Reason.PRIVATE_KEY);
      return;
    }
    FuzzFinding.unless(false, "a private key was read as a public one");
  }
}
