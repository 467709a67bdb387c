package dev.countersign.benchmarks;

import dev.countersign.signatures.keys.CryptoProvider;

/** Describes the machine, without which a measured time means nothing. */
public final class Machine {
  private Machine() {}

  /**
   * Prints the versions of Java and of both providers; exits with status 1 if the native one is
   * missing.
   */
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
