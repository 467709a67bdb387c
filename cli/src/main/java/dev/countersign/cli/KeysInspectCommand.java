package dev.countersign.cli;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code countersign keys inspect}: what a key file holds, without showing a private key. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = "Says what a key file holds: kind, bits, fingerprint. It never prints the key.",
    footer = {"", "Example:", "  countersign keys inspect partner.key"})
final class KeysInspectCommand implements Callable<Integer> {
  private final Environment environment;

  @Mixin private final Output output;

  @Parameters(paramLabel = "FILE", description = "A private or public key, or a key store.")
  private String file = "";

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "Holds the passphrase of a key store in its first line.")
  private @Nullable String passphraseFile;

  KeysInspectCommand(Environment environment) {
    this.environment = environment;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    Path path = environment.path(file);
    Optional<Path> words = Optional.ofNullable(passphraseFile).map(environment::path);
    InspectedKey key = InspectedKey.of(path, new Passphrase(environment, words));
    Map<String, Object> members = key.members();
    if (output.json()) {
      output.printJson(members);
    } else {
      members.forEach((name, value) -> output.print(String.format("%-12s %s", name, value)));
    }
    if (key.isPrivate() && PrivateText.isShared(path)) {
      output.note(
          "warning: "
              + path
              + " can be read or changed by others than its owner: chmod 600 "
              + path);
    }
    return ExitCode.OK.code();
  }
}
