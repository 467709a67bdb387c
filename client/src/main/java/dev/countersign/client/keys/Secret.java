package dev.countersign.client.keys;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for what opens a key; the caller overwrites the answer once it is used. */
final class Secret {
  private Secret() {}

  /**
   * The passphrase or PIN.
   *
   * @param whose key it opens, for the message
   * @param kind {@code passphrase} or {@code PIN}
   * @throws KeyException a passing one when there is none, as at the end of a console's input
   */
  static char[] ask(Supplier<char[]> supplier, String whose, String kind) {
    char[] words = asked(supplier);
    if (words == null) {
      throw KeyException.passing(whose + ": no " + kind + " was given", null);
    }
    return words;
  }

  private static char @Nullable [] asked(Supplier<char[]> supplier) {
    try {
      return supplier.get();
    } catch (KeyException e) {
      throw KeyException.passing(String.valueOf(e.getMessage()), e);
    }
  }
}
