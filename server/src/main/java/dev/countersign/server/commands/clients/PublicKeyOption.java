package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import picocli.CommandLine.Option;

/** The option for the file with a public key. The content of the file is never printed. */
final class PublicKeyOption {
  private static final Path STANDARD_INPUT = Path.of("-");
  // In bytes. Higher than the limit in RsaPublicKeys, so a text that is too long is refused there.
  private static final int LIMIT = 128 * 1024;

  @Option(
      names = "--public-key",
      required = true,
      paramLabel = "FILE",
      description = "The RSA public key, in PEM or as a certificate; - reads standard input.")
  private Path file = STANDARD_INPUT;

  RSAPublicKey read(OperatorConsole console) {
    if (!file.equals(STANDARD_INPUT)) {
      return RsaPublicKeys.readPastedFile(file, CryptoProvider.jdk());
    }
    try {
      return RsaPublicKeys.readPasted(console.input().readNBytes(LIMIT), CryptoProvider.jdk());
    } catch (IOException broken) {
      throw new CommandException("standard input cannot be read");
    }
  }
}
