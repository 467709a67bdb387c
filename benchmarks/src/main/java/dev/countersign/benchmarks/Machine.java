package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;

/** Says what is measured on: a number without it means nothing. */
public final class Machine {
  private Machine() {}

  /** Prints the Java and the native provider, or says why there is none and fails. */
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
