package dev.countersign.signatures.keys;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
        return CryptoProvider.corretto();
      } catch (ClassNotFoundException | IllegalStateException e) {
        problem = e.toString();
        return null;
      }
    }
  }
}
