package dev.countersign.server;

import dev.countersign.signatures.keys.CryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the cryptography provider: Amazon Corretto Crypto Provider if its native library loads
 * and passes its self-tests, otherwise the JDK.
 */
final class NativeCrypto {
  private static final Logger log = LoggerFactory.getLogger(NativeCrypto.class);

  private NativeCrypto() {}

  /** Returns the best provider on this machine and logs the choice and its reason. */
  static CryptoProvider choose() {
    try {
      CryptoProvider chosen = CryptoProvider.corretto();
      log.info("signatures are verified by {}", chosen.name());
      return chosen;
    } catch (ClassNotFoundException absent) {
      return jdk("is not available for this platform");
    } catch (IllegalStateException unusable) {
      return jdk("cannot be used, " + unusable.getMessage());
    }
  }

  private static CryptoProvider jdk(String reason) {
    CryptoProvider chosen = CryptoProvider.jdk();
    log.info("signatures are verified by {}: Corretto Crypto Provider {}", chosen.name(), reason);
    return chosen;
  }
}
