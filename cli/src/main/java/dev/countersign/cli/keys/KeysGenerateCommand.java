package dev.countersign.cli.keys;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.profile.KeyFile;
import dev.countersign.cli.profile.ProfileSetting;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.cli.terminal.ShellWord;
import dev.countersign.client.keys.NewKeyPair;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code countersign keys generate}: writes a key pair to two files. Only you can read
 * the file with the private key.
 */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    description = {
      "Makes an RSA key pair: NAME.key with the private key (PKCS#8 PEM, mode 600), NAME.pub with"
          + " the public key. To choose the exact name of the private file, give --key FILE.",
      "Register NAME.pub with the service; keep NAME.key here."
    },
    footer = {"", "Example:", "  countersign keys generate --out partner --bits 3072"})
final class KeysGenerateCommand implements Callable<Integer> {
  private static final String ENDING = ".key";
  private static final int MIN_BITS = 2048;
  private static final int MAX_BITS = 8192;

  private final Environment environment;
  private final Connection connection;

  @Mixin private final Output output;

  @Option(
      names = "--out",
      paramLabel = "NAME",
      description = "The NAME of both files, optionally with a folder; or give --key.")
  private @Nullable String name;

  @Option(names = "--bits", paramLabel = "N", description = "2048 to 8192 (default: 3072).")
  private int bits = 3072;

  KeysGenerateCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    if (bits < MIN_BITS || bits > MAX_BITS) {
      throw CliException.usage("--bits must be " + MIN_BITS + " to " + MAX_BITS + ", was " + bits);
    }
    if (connection.option(ProfileSetting.PASSPHRASE_FILE).isPresent()) {
      throw CliException.usage(
          "keys generate takes no --passphrase-file: a new key has no passphrase");
    }
    Path privateFile = privateFile();
    Path publicFile = KeyFile.publicKeyBeside(privateFile);
    requireFolderOf(privateFile);
    print(write(privateFile, publicFile), privateFile, publicFile);
    return ExitCode.OK.code();
  }

  private Path privateFile() {
    Optional<String> exact = connection.option(ProfileSetting.KEY);
    if (exact.isPresent() == (name != null)) {
      throw CliException.usage("give exactly one of --out NAME and --key FILE");
    }
    String file = exact.orElseGet(() -> withEnding(String.valueOf(name)));
    String last = file.substring(file.lastIndexOf('/') + 1);
    if (last.isEmpty() || last.equals(ENDING)) {
      throw CliException.usage(
          (name == null ? "--key" : "--out")
              + " must be the name of a file, was '"
              + exact.orElse(name)
              + "'");
    }
    return KeyFile.requirePem(environment.path(file));
  }

  private static String withEnding(String name) {
    return name.endsWith(ENDING) ? name : name + ENDING;
  }

  /**
   * Checks the directory first, because generating a key that cannot be saved would waste seconds.
   */
  private static void requireFolderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new CliException(
          ExitCode.FAILED,
          "key_not_written",
          "the folder " + folder + " does not exist: create it, or choose another name");
    }
  }

  /** Writes the pair and returns its fingerprint. */
  private String write(Path privateFile, Path publicFile) {
    NewKeyPair pair = NewKeyPair.generate(bits);
    try {
      pair.writeTo(privateFile, publicFile);
    } catch (UncheckedIOException failed) {
      throw new CliException(
          ExitCode.FAILED,
          "key_not_written",
          "the key cannot be written to " + privateFile + ": " + failed.getCause(),
          failed);
    }
    return pair.fingerprint();
  }

  private void print(String fingerprint, Path privateFile, Path publicFile) {
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("privateKey", privateFile.toString());
      result.put("publicKey", publicFile.toString());
      result.put("fingerprint", fingerprint);
      output.printJson(result);
      return;
    }
    output.print(fingerprint);
    output.note("private key  " + privateFile + "  keep it here");
    output.note("public key   " + publicFile + "  register it with " + service());
    output.note("then type    " + ShellWord.line(configureCommand(privateFile)));
  }

  private String service() {
    return connection.option(ProfileSetting.BASE_URL).orElse("the service")
        + connection.option(ProfileSetting.CLIENT_ID).map(id -> " for the client " + id).orElse("");
  }

  private List<String> configureCommand(Path privateFile) {
    List<String> words = new ArrayList<>(List.of("countersign", "configure"));
    words.addAll(connection.typed());
    if (name != null) {
      words.addAll(List.of(ProfileSetting.KEY.option(), privateFile.toString()));
    }
    return words;
  }
}
