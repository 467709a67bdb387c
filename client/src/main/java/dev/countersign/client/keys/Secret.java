package dev.countersign.client.keys;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for the passphrase or PIN of a key; the caller overwrites the answer after use. */
final class Secret {
  private Secret() {}

  /**
   * Asks for the passphrase or PIN.
   *
   * @param keyName the name of the key, for the message
   * @param kind {@code passphrase} or {@code PIN}
   * @throws KeyException when no passphrase or PIN is given, for example because the console's
   *     input has ended; the next attempt may succeed
   */
  static char[] ask(Supplier<char[]> supplier, String keyName, String kind) {
    char[] secret = supplied(supplier);
    if (secret == null) {
      throw KeyException.temporary(keyName + ": no " + kind + " was given", null);
    }
    return secret;
  }

  private static char @Nullable [] supplied(Supplier<char[]> supplier) {
    try {
      return supplier.get();
    } catch (KeyException e) {
      throw KeyException.temporary(String.valueOf(e.getMessage()), e);
    }
  }
}
