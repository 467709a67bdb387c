package dev.countersign.server;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.Provider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the cryptography provider: Amazon Corretto Crypto Provider if its native library loads
 * and passes its self-tests, otherwise the JDK.
 */
final class NativeCrypto {
  private static final Logger log = LoggerFactory.getLogger(NativeCrypto.class);
  private static final String CORRETTO =
      "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

  private NativeCrypto() {}

  /** Returns the best provider on this machine and logs the choice and its reason. */
  static CryptoProvider choose() {
    CryptoProvider chosen = CryptoProvider.jdk();
    try {
      chosen = CryptoProvider.of(corretto());
      log.info("signatures are verified by {}", chosen.name());
    } catch (ReflectiveOperationException | LinkageError | IllegalStateException e) {
      log.info("signatures are verified by {}: {}", chosen.name(), reason(e));
    }
    return chosen;
  }

  /**
   * Uses reflection, because the classes exist only on the platforms that the provider supports.
   */
  private static Provider corretto() throws ReflectiveOperationException {
    Class<?> type = Class.forName(CORRETTO);
    Object instance = type.getField("INSTANCE").get(null);
    if (type.getMethod("getLoadingError").invoke(instance) instanceof Throwable error) {
      throw new IllegalStateException("its native library does not load", error);
    }
    String status = String.valueOf(type.getMethod("runSelfTests").invoke(instance));
    if (!status.equals("PASSED")) {
      throw new IllegalStateException("its self-test says " + status);
    }
    return (Provider) instance;
  }

  private static String reason(Throwable e) {
    return e instanceof ClassNotFoundException
        ? "Corretto Crypto Provider is not built for this platform"
        : "Corretto Crypto Provider cannot be used, " + e.getMessage();
  }
}
