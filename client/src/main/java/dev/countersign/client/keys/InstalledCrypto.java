package dev.countersign.client.keys;

import dev.countersign.signatures.keys.CryptoProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Chooses the cryptography provider: Amazon Corretto Crypto Provider if it is on the class path,
 * loads its native library and passes its self-tests. Otherwise the JDK is chosen, which makes the
 * same signatures at about half the speed. The choice and its reason are logged at {@code DEBUG}.
 */
public final class InstalledCrypto {
  private InstalledCrypto() {}

  /** The best available provider, determined at the first call. */
  public static CryptoProvider best() {
    return Best.INSTANCE;
  }

  private static CryptoProvider choose() {
    Logger log = System.getLogger(InstalledCrypto.class.getName());
    try {
      CryptoProvider chosen = CryptoProvider.corretto();
      log.log(Level.DEBUG, "requests are signed by {0}", chosen.name());
      return chosen;
    } catch (ClassNotFoundException absent) {
      return jdk(log, "is not on the class path");
    } catch (IllegalStateException unusable) {
      return jdk(log, "cannot be used, " + unusable.getMessage());
    }
  }

  private static CryptoProvider jdk(Logger log, String reason) {
    CryptoProvider chosen = CryptoProvider.jdk();
    log.log(
        Level.DEBUG,
        "requests are signed by {0}: Corretto Crypto Provider {1}",
        chosen.name(),
        reason);
    return chosen;
  }

  private static final class Best {
    static final CryptoProvider INSTANCE = choose();
  }
}
