package dev.countersign.signatures.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs real commands in a folder; the test is skipped if the program is not installed. */
public record Openssl(Path folder) {

  /** Runs a command line, split at spaces, and returns its standard output. */
  public byte[] run(String command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command.split(" "));
    builder.directory(folder.toFile());
    Path errors = folder.resolve("errors.txt");
    builder.redirectError(errors.toFile());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return abort("skipped: the program is not installed: " + command.split(" ")[0]);
    }
    process.getOutputStream().close();
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(Waits.forExit(process)).as(command + "\n" + Files.readString(errors)).isZero();
    return output;
  }

  public String text(String command) throws IOException, InterruptedException {
    return new String(run(command), UTF_8);
  }

  public Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }
}
