package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** An operator at a terminal: runs the commands on a data directory, in this process. */
final class OperatorShell {
  private final Path folder;
  private final Path data;

  OperatorShell(Path folder, Path data) {
    this.folder = folder;
    this.data = data;
  }

  /** The output of a command. */
  record Printed(int exitCode, String out, String err) {
    String firstLine() {
      return out.lines().findFirst().orElse("");
    }
  }

  /** Runs {@code clients …} on the data directory. */
  Printed clients(String... arguments) {
    List<String> all = new ArrayList<>(List.of("clients"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--data", data.toString()));
    return run(all.toArray(String[]::new));
  }

  /** Runs any command. */
  static Printed run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Application.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = command.execute(arguments);
    return new Printed(exitCode, out.toString(), err.toString());
  }

  /** Registers a client with all rights and returns its clientId. */
  String add(KeyPair keys) {
    Printed added =
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
