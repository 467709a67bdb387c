package dev.countersign.cli;

import dev.countersign.client.keys.NewKeyPair;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code countersign keys generate}: a key pair in two files, the private one for you alone. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    description = {
      "Makes an RSA key pair: NAME.key with the private key (PKCS#8 PEM, mode 600), NAME.pub with"
          + " the public key.",
      "Register NAME.pub; NAME.key stays here."
    },
    footer = {"", "Example:", "  countersign keys generate --out partner --bits 3072"})
final class KeysGenerateCommand implements Callable<Integer> {
  private static final int LEAST = 2048;
  private static final int MOST = 8192;

  private final Environment environment;

  @Mixin private final Output output;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "NAME",
      description = "The files' name without its ending, perhaps with a folder.")
  private String name = "";

  @Option(names = "--bits", paramLabel = "N", description = "2048 to 8192 (default: 3072).")
  private int bits = 3072;

  KeysGenerateCommand(Environment environment) {
    this.environment = environment;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    if (bits < LEAST || bits > MOST) {
      throw Failure.usage("--bits must be " + LEAST + " to " + MOST + ", was " + bits);
    }
    Path privateFile = environment.path(name + ".key");
    Path publicFile = environment.path(name + ".pub");
    NewKeyPair pair = NewKeyPair.generate(bits);
    pair.writeTo(privateFile, publicFile);
    print(pair.fingerprint(), privateFile, publicFile);
    return ExitCode.OK.code();
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
    output.note("public key   " + publicFile + "  register it with the service");
  }
}
