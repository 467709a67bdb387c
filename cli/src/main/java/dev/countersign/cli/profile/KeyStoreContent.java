package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;

/** Describes the private key of a key store by its certificate. Does not read the key itself. */
record KeyStoreContent(Path file, Supplier<char[]> passphrase) {

  InspectedKey inspected() {
    char[] password = passphrase.get();
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), password);
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          return new InspectedKey(
              store.getType() + " key store, private key '" + alias + "'",
              true,
              Optional.ofNullable(store.getCertificate(alias)).map(found -> found.getPublicKey()));
        }
      }
      throw unusable("it contains no private key");
    } catch (IOException | GeneralSecurityException failed) {
      throw unusable("it is not a key store, or the passphrase is wrong");
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  private CliException unusable(String problem) {
    return new CliException(ExitCode.FAILED, "key_unusable", file + ": " + problem);
  }
}
