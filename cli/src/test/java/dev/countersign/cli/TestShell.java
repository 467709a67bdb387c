package dev.countersign.cli;

import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.Terminal;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Runs commands for a test: with its own environment and home, and without a terminal. */
public final class TestShell {
  private final Path home;
  private final Map<String, String> variables = new HashMap<>();
  private final BooleanSupplier interrupted = () -> false;
  private Terminal terminal = Terminal.none();
  private String input = "";

  public TestShell(Path home) {
    this.home = home;
  }

  /** Creates a shell whose environment configures the service, the client and its key. */
  public static TestShell of(Path home, TestService service, TestClient client) {
    return new TestShell(home)
        .with("COUNTERSIGN_BASE_URL", service.url())
        .with("COUNTERSIGN_CLIENT_ID", client.clientId())
        .with("COUNTERSIGN_KEY", keyFile(home, client.privateKey()).toString());
  }

  /** The file of a key that no service knows. */
  public static Path keyFile(Path folder) {
    return keyFile(folder, TestService.KEYS.getPrivate());
  }

  /** A key in the file {@code test.key}, which only the owner can read. */
  public static Path keyFile(Path folder, PrivateKey key) {
    Path file = folder.resolve("test.key");
    try {
      Files.writeString(file, RsaPrivateKeys.toPem(key));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return file;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public TestShell with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  public TestShell with(Terminal other) {
    terminal = other;
    return this;
  }

  public TestShell typing(String text) {
    input = text;
    return this;
  }

  public Path home() {
    return home;
  }

  public Environment environment(OutputStream out, OutputStream err) {
    return new Environment(
        Map.copyOf(variables),
        () -> home,
        Clock.systemUTC(),
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out,
        err,
        terminal,
        interrupted);
  }

  /** Runs a command to its end, with the given standard input. */
  public Run runWith(InputStream in, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Environment environment =
        new Environment(
            Map.copyOf(variables),
            () -> home,
            Clock.systemUTC(),
            in,
            out,
            err,
            terminal,
            interrupted);
    int code = Countersign.run(environment, args);
    return new Run(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command to its end. */
  public Run run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Countersign.run(environment(out, err), args);
    return new Run(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The output of a command and its exit code. */
  public record Run(int code, String out, String err) {}
}
