package dev.countersign.server.commands;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import picocli.CommandLine.Option;

/** The option that names the file of a public key. What is in the file is never printed. */
final class PublicKeyOption {
  // More than the reader of keys takes, so that it can say that the text is too long.
  private static final int LIMIT = 128 * 1024;

  @Option(
      names = "--public-key",
      required = true,
      paramLabel = "FILE",
      description = "The RSA public key: PEM, or a certificate; - reads standard input.")
  private String file = "";

  RSAPublicKey read(Terminal terminal) {
    if (!file.equals("-")) {
      return RsaPublicKeys.readFile(Path.of(file), CryptoProvider.jdk());
    }
    try {
      return RsaPublicKeys.read(terminal.input().readNBytes(LIMIT), CryptoProvider.jdk());
    } catch (IOException broken) {
      throw new CommandFailure("standard input cannot be read");
    }
  }
}
