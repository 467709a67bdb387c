package dev.countersign.cli;

import dev.countersign.client.keys.KeySource;
import dev.countersign.client.keys.KeyStoreFile;
import dev.countersign.client.keys.PrivateKeyFile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A file with a private key: a key store where its name says so, else PEM. */
record KeyFile(Path path, Supplier<char[]> passphrase) {

  static boolean isKeyStore(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".p12") || name.endsWith(".pfx") || name.endsWith(".jks");
  }

  KeySource source(Consumer<String> warnings) {
    Consumer<String> marked = warning -> warnings.accept("warning: " + warning);
    return isKeyStore(path)
        ? KeyStoreFile.of(path, passphrase).withWarnings(marked)
        : PrivateKeyFile.of(path, passphrase).withWarnings(marked);
  }
}
