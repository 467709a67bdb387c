package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tools that tests run in their folder; a test is skipped if its tool is missing. */
record KeyTools(Path folder) {

  static void assumeThere(String... tools) {
    for (String tool : tools) {
      assumeTrue(isThere(tool), tool + " is not installed, so this test is skipped");
    }
  }

  String run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    return tool(Map.of(), command);
  }

  String tool(Map<String, String> environment, List<String> command) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().putAll(environment);
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Waits.forExit(process)).as("%s: %s", command, said).isZero();
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isThere(String tool) {
    try {
      Process process = new ProcessBuilder(tool, "--help").redirectErrorStream(true).start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      Waits.forExit(process);
      return true;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
