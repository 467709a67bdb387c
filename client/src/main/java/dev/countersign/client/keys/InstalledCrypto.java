package dev.countersign.client.keys;

import dev.countersign.signatures.keys.CryptoProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The cryptography provider of this process: {@link CryptoProvider#best}. The choice and its reason
 * are logged at {@code DEBUG}.
 */
public final class InstalledCrypto {
  private static final Logger LOG = System.getLogger(InstalledCrypto.class.getName());

  private InstalledCrypto() {}

  /** The best available provider, determined at the first call. */
  public static CryptoProvider best() {
    return Best.INSTANCE;
  }

  private static final class Best {
    static final CryptoProvider INSTANCE =
        CryptoProvider.best(choice -> LOG.log(Level.DEBUG, "requests are signed by {0}", choice));
  }
}
