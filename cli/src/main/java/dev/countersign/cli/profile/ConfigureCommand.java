package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.keys.NewKeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code countersign configure}: asks for the settings that every call needs, saves
 * them, and tests them with one request.
 */
@Command(
    name = "configure",
    mixinStandardHelpOptions = true,
    description = {
      "Asks for base URL, clientId and key, writes them to the profile, and tests the connection.",
      "Does not ask for values that are given as options. Without a terminal, give all values as"
          + " options."
    },
    footer = {
      "",
      "Examples:",
      "  countersign configure",
      "  countersign configure --profile test --base-url https://test.example.com --client-id c-1"
          + " --key ~/partner.key",
    })
public final class ConfigureCommand implements Callable<Integer> {
  private final Environment environment;
  private final Connection connection;

  @Mixin private final Output output;

  @Option(
      names = "--generate-key",
      description = "Make a key if the key file is missing, without asking.")
  private boolean generate;

  @Option(names = "--no-test", description = "Write the profile without calling the service.")
  private boolean untested;

  public ConfigureCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() throws IOException {
    ProfileFile file = ProfileFile.read(ProfileFile.location(environment));
    String name = profileName();
    Profile profile = askForProfile(file.profile(name), file.path());
    makeKey(profile);
    requireNotInterrupted();
    PrivateText.write(file.path(), file.linesWith(profile));
    output.note("the profile [" + name + "] is in " + file.path());
    return test(profile);
  }

  private String profileName() {
    String name = connection.profileName();
    if (!ProfileFile.NAME.matcher(name).matches()) {
      throw CliException.usage(
          "a profile's name must be letters, digits, '.', '_' and '-', was '" + name + "'");
    }
    return name;
  }

  private Profile askForProfile(Profile before, Path file) {
    Path key = file.resolveSibling(before.name() + ".key");
    ProfileQuestions questions = new ProfileQuestions(environment, connection, before);
    questions.askBaseUrl();
    questions.ask(
        ProfileSetting.CLIENT_ID, "clientId (leave empty until your key is registered)", "");
    questions.ask(ProfileSetting.KEY, "Private key file", key.toString());
    return questions.take(ProfileSetting.PASSPHRASE_FILE);
  }

  private void makeKey(Profile profile) throws IOException {
    Path key = environment.path(profile.value(ProfileSetting.KEY).orElseThrow());
    if (Files.exists(key)) {
      return;
    }
    KeyFile.requirePem(key);
    requireNotInterrupted();
    if (!generate && !confirmed(key + " does not exist. Make a new key there? [Y/n] ")) {
      throw new CliException(
          ExitCode.FAILED,
          "key_unusable",
          key + " does not exist: give --generate-key to make it, or name another file with --key");
    }
    PrivateText.createFolderOf(key);
    Path publicKey = KeyFile.publicKeyBeside(key);
    NewKeyPair pair = NewKeyPair.generate(3072);
    pair.writeTo(key, publicKey);
    output.note("made " + key + ", " + pair.fingerprint());
    output.note("register the public key with the service: " + publicKey);
  }

  /** Throws an exception if a signal has arrived, so that nothing more is written. */
  private void requireNotInterrupted() {
    if (environment.interrupted().getAsBoolean()) {
      throw CliException.interrupted();
    }
  }

  private boolean confirmed(String question) {
    Optional<String> answer = environment.terminal().ask(question);
    return answer.isPresent() && !answer.get().strip().toLowerCase(Locale.ROOT).startsWith("n");
  }

  private int test(Profile profile) {
    if (untested) {
      return ExitCode.OK.code();
    }
    if (profile.value(ProfileSetting.CLIENT_ID).isEmpty()) {
      output.note("there is no clientId yet: once you have it, run countersign configure again");
      return ExitCode.OK.code();
    }
    String result = new TrialCall(environment, output).run(profile);
    output.print(result);
    return ExitCode.OK.code();
  }
}
