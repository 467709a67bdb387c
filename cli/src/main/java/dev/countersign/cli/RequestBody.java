package dev.countersign.cli;

import dev.countersign.cli.captured.FileFailure;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.InterruptibleInput;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;

/** The body of a request: text as typed, {@code @FILE}, or {@code @-} for standard input. */
final class RequestBody {
  private RequestBody() {}

  static BodyPublisher of(String data, Environment environment) {
    try {
      if (data.equals("@-")) {
        return bytes(environment.in());
      }
      if (data.startsWith("@")) {
        return file(environment.path(data.substring(1)));
      }
      return data.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(data);
    } catch (IOException failed) {
      String source = data.equals("@-") ? "standard input" : data.substring(1);
      throw new CliException(
          ExitCode.FAILED,
          "data_unreadable",
          source + " cannot be read: " + FileFailure.text(failed),
          failed);
    }
  }

  private static BodyPublisher bytes(InputStream in) throws IOException {
    byte[] bytes = in.readAllBytes();
    return bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }

  private static BodyPublisher file(Path file) throws IOException {
    if (Files.isRegularFile(file) && Files.size(file) > 0) {
      return BodyPublishers.ofFile(file);
    }
    // A pipe, such as the shell's <(command), has no size and can be read only once.
    try (InputStream in = new InterruptibleInput(Files.newInputStream(file))) {
      return bytes(in);
    }
  }
}
