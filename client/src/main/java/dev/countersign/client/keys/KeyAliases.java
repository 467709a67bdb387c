package dev.countersign.client.keys;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The aliases of the private keys in a store, which may also hold certificates. */
record KeyAliases(List<String> names) {

  static KeyAliases of(KeyStore store) throws KeyStoreException {
    List<String> names = new ArrayList<>();
    for (String name : Collections.list(store.aliases())) {
      if (store.isKeyEntry(name)) {
        names.add(name);
      }
    }
    return new KeyAliases(List.copyOf(names));
  }

  /** Returns the requested alias; if it is null, returns the only alias of the store. */
  String choose(@Nullable String alias, String storeName) {
    if (names.isEmpty()) {
      throw new KeyException(
          storeName
              + ": it contains no private key; on a token, the key needs a certificate as well");
    }
    if (alias != null) {
      return names.stream()
          .filter(alias::equalsIgnoreCase)
          .findFirst()
          .orElseThrow(
              () -> new KeyException(storeName + ": no key has the alias " + alias + aliasList()));
    }
    if (names.size() > 1) {
      throw new KeyException(
          storeName
              + ": it contains several keys, choose one with withAlias, or use a store with one key"
              + aliasList());
    }
    return names.get(0);
  }

  private String aliasList() {
    return "; the aliases are " + String.join(", ", names);
  }
}
