package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.app.Application;
import dev.countersign.server.commands.CommandResult;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An operator at a terminal: runs the commands on a data directory, in this process. */
final class OperatorShell {
  private final Path folder;
  private final Path data;

  OperatorShell(Path folder, Path data) {
    this.folder = folder;
    this.data = data;
  }

  /** Runs {@code clients …} on the data directory. */
  CommandResult clients(String... arguments) {
    List<String> all = new ArrayList<>(List.of("clients"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--data", data.toString()));
    return run(all.toArray(String[]::new));
  }

  /** Runs any command. */
  static CommandResult run(String... arguments) {
    return CommandResult.of(Application.commandLine(), arguments);
  }

  /** Registers a client with all rights and returns its clientId. */
  String add(KeyPair keys) {
    CommandResult added =
        clients(
            "add",
            "--name",
            "Test",
            "--public-key",
            pem(keys).toString(),
            "--allow",
            "127.0.0.1,::1",
            "--role",
            "ledger-operator");
    assertThat(added.exitCode()).as(added.err()).isZero();
    return added.firstLine();
  }

  Path pem(KeyPair keys) {
    try {
      return Files.writeString(
          Files.createTempFile(folder, "key", ".pem"),
          RsaPublicKeys.toPem((RSAPublicKey) keys.getPublic()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
