package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;

/** The two measured providers, by the names that the benchmarks use. */
final class Providers {
  static final String JDK = "jdk";
  static final String NATIVE = "native";

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
      return CryptoProvider.corretto();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("there is no native provider for this machine: " + e, e);
    }
  }
}
