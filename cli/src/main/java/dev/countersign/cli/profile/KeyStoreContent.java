package dev.countersign.cli.profile;

import dev.countersign.cli.captured.FileFailure;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Describes the private key of a key store by its certificate. Does not read the key itself. */
record KeyStoreContent(Path file, Supplier<char[]> passphrase) {

  InspectedKey inspected() {
    requireReadable();
    char[] password = passphrase.get();
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), password);
      String alias = onlyKey(store);
      return new InspectedKey(
          store.getType() + " key store, private key '" + alias + "'",
          true,
          Optional.ofNullable(store.getCertificate(alias)).map(found -> found.getPublicKey()));
    } catch (IOException | GeneralSecurityException failed) {
      throw unusable("it is not a key store, or the passphrase is wrong");
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  /** Fails if the file cannot be read, before the passphrase is asked for. */
  private void requireReadable() {
    // Opening a pipe would wait for a writer.
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      throw unusable("it is not a regular file");
    }
    try (InputStream content = Files.newInputStream(file)) {
      // A directory can be opened, but not read.
      content.readNBytes(1);
    } catch (IOException failed) {
      throw unusable(FileFailure.text(failed));
    }
  }

  /** Returns the alias of the only key. A store with several keys cannot sign, either. */
  private String onlyKey(KeyStore store) throws KeyStoreException {
    List<String> aliases = new ArrayList<>();
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        aliases.add(alias);
      }
    }
    if (aliases.isEmpty()) {
      throw unusable("it contains no private key");
    }
    if (aliases.size() > 1) {
      throw unusable(
          "it contains several keys, but must contain only one; the aliases are "
              + String.join(", ", aliases)
              + "; copy one into its own store: keytool -importkeystore -srckeystore FILE"
              + " -srcalias ALIAS -destkeystore NEW.p12");
    }
    return aliases.get(0);
  }

  private CliException unusable(String problem) {
    return new CliException(ExitCode.FAILED, "key_unusable", file + ": " + problem);
  }
}
