package dev.countersign.signatures.keys;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** The providers with which every cryptographic test runs. */
public enum TestedProvider {
  JDK {
    @Override
    public CryptoProvider get() {
      return CryptoProvider.jdk();
    }
  },
  CORRETTO {
    @Override
    public CryptoProvider get() {
      CryptoProvider provider = Corretto.PROVIDER;
      assumeTrue(provider != null, () -> "skipped: Corretto does not load: " + Corretto.problem);
      return provider;
    }
  };

  public abstract CryptoProvider get();

  /** Loads the native provider without installing it, as the server does. */
  private static final class Corretto {
    static String problem = "";
    static final @Nullable CryptoProvider PROVIDER = load();

    private static @Nullable CryptoProvider load() {
      try {
        Class<?> type =
            Class.forName("com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider");
        Object instance = type.getField("INSTANCE").get(null);
        Object error = type.getMethod("getLoadingError").invoke(instance);
        if (error != null) {
          problem = error.toString();
          return null;
        }
        Object status = type.getMethod("runSelfTests").invoke(instance);
        if (!"PASSED".equals(String.valueOf(status))) {
          problem = "self-test " + status;
          return null;
        }
        return CryptoProvider.of((java.security.Provider) instance);
      } catch (InvocationTargetException e) {
        problem = String.valueOf(e.getCause());
      } catch (ReflectiveOperationException | LinkageError e) {
        problem = e.toString();
      }
      return null;
    }
  }
}
