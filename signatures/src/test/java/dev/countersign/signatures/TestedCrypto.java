package dev.countersign.signatures;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.Provider;

/** The providers that every test of a signature runs with. */
public enum TestedCrypto {
  JDK {
    @Override
    public CryptoProvider get() {
      return CryptoProvider.jdk();
    }
  },
  CORRETTO {
    @Override
    public CryptoProvider get() {
      try {
        Class<?> type =
            Class.forName("com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider");
        Provider provider = (Provider) type.getField("INSTANCE").get(null);
        Object error = type.getMethod("getLoadingError").invoke(provider);
        assumeTrue(error == null, () -> "skipped: Corretto does not load: " + error);
        return CryptoProvider.of(provider);
      } catch (ReflectiveOperationException | LinkageError e) {
        assumeTrue(false, "skipped: Corretto is not here: " + e);
        throw new AssertionError(e);
      }
    }
  };

  public abstract CryptoProvider get();
}
