package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;

/** Describes the machine; a number without it means nothing. */
public final class Machine {
  private Machine() {}

  /** Prints the versions of Java and of the native provider; fails if there is none. */
  public static void main(String[] args) {
    System.out.println(
        "Java " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")");
    try {
      CryptoProvider corretto = Providers.named(Providers.NATIVE);
      System.out.println(corretto.name() + ", " + CryptoProvider.jdk().name());
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
