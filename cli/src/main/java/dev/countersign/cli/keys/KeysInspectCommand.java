package dev.countersign.cli.keys;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.profile.InspectedKey;
import dev.countersign.cli.profile.Passphrase;
import dev.countersign.cli.profile.PrivateText;
import dev.countersign.cli.profile.ProfileSetting;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The command {@code countersign keys inspect}: shows the content of a key file, but no private
 * key.
 */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = "Describes the key in a file: kind, bits, fingerprint. Never prints the key.",
    footer = {"", "Example:", "  countersign keys inspect partner.key"})
final class KeysInspectCommand implements Callable<Integer> {
  private final Environment environment;
  private final Connection connection;

  @Mixin private final Output output;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A private or public key, or a key store (default: the key that signs).")
  private @Nullable String file;

  KeysInspectCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    Path path = path();
    InspectedKey key = InspectedKey.of(path, passphrase());
    Map<String, Object> members = key.members();
    if (output.json()) {
      output.printJson(members);
    } else {
      members.forEach(
          (name, value) -> output.print(String.format(Locale.ROOT, "%-12s %s", name, value)));
    }
    if (key.isPrivate() && PrivateText.isShared(path)) {
      output.note(
          "warning: "
              + path
              + " can be read or changed by users other than its owner: chmod 600 "
              + path);
    }
    if (key.isKnownUnusable()) {
      output.note(
          "warning: the service accepts only RSA keys: countersign keys generate --out partner");
    }
    return ExitCode.OK.code();
  }

  private Path path() {
    if (file == null) {
      return connection.keyFile();
    }
    if (connection.option(ProfileSetting.KEY).isPresent()) {
      throw CliException.usage("FILE and --key cannot be used together: give one");
    }
    return environment.path(file);
  }

  /** The passphrase. The profile's passphrase is used only for the profile's key. */
  private Passphrase passphrase() {
    return file == null
        ? connection.passphrase()
        : new Passphrase(
            environment, connection.option(ProfileSetting.PASSPHRASE_FILE).map(environment::path));
  }
}
