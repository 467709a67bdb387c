package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.Provider;

/** The two measured providers, by the names that the benchmarks use. */
final class Providers {
  static final String JDK = "jdk";
  static final String NATIVE = "native";

  private static final String CORRETTO =
      "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

  private Providers() {}

  /**
   * Returns the provider with this name.
   *
   * @throws IllegalStateException if the native one is not built for this machine or does not load,
   *     because measuring another one instead would be misleading
   */
  static CryptoProvider named(String name) {
    return switch (name) {
      case JDK -> CryptoProvider.jdk();
      case NATIVE -> corretto();
      default -> throw new IllegalArgumentException("provider must be jdk or native, was " + name);
    };
  }

  private static CryptoProvider corretto() {
    try {
      Class<?> type = Class.forName(CORRETTO);
      Provider provider = (Provider) type.getField("INSTANCE").get(null);
      if (type.getMethod("getLoadingError").invoke(provider) instanceof Throwable error) {
        throw new IllegalStateException("the native provider does not load: " + error, error);
      }
      return CryptoProvider.of(provider);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("there is no native provider for this machine: " + e, e);
    }
  }
}
