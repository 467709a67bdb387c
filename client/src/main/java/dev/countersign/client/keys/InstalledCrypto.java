package dev.countersign.client.keys;

import dev.countersign.signatures.keys.CryptoProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.Provider;

/**
 * Chooses the cryptography provider. It is Amazon Corretto Crypto Provider if the application has
 * it on its path, its native library loads and it passes its self-tests. Otherwise it is the JDK,
 * which makes the same signatures at about half the speed. The choice and its reason are logged at
 * {@code DEBUG}.
 */
public final class InstalledCrypto {
  private static final String CORRETTO =
      "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

  private InstalledCrypto() {}

  /** The best available provider, determined at the first call. */
  public static CryptoProvider best() {
    return Best.INSTANCE;
  }

  /** Loads Corretto by reflection: it is optional and not available for all platforms. */
  private static Provider corretto() throws ReflectiveOperationException {
    Class<?> type = Class.forName(CORRETTO);
    Object instance = type.getField("INSTANCE").get(null);
    if (type.getMethod("getLoadingError").invoke(instance) instanceof Throwable error) {
      throw new IllegalStateException("its native library does not load: " + error.getMessage());
    }
    String status = String.valueOf(type.getMethod("runSelfTests").invoke(instance));
    if (!status.equals("PASSED")) {
      throw new IllegalStateException("its self-test says " + status);
    }
    return (Provider) instance;
  }

  private static CryptoProvider choose() {
    Logger log = System.getLogger(InstalledCrypto.class.getName());
    CryptoProvider chosen = CryptoProvider.jdk();
    try {
      chosen = CryptoProvider.of(corretto());
      log.log(Level.DEBUG, "requests are signed by {0}", chosen.name());
    } catch (ReflectiveOperationException | LinkageError | IllegalStateException e) {
      log.log(Level.DEBUG, "requests are signed by {0}: {1}", chosen.name(), reason(e));
    }
    return chosen;
  }

  private static String reason(Throwable e) {
    return e instanceof ClassNotFoundException
        ? "Corretto Crypto Provider is not on the class path"
        : "Corretto Crypto Provider cannot be used, " + e.getMessage();
  }

  private static final class Best {
    static final CryptoProvider INSTANCE = choose();
  }
}
