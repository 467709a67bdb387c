package dev.countersign.server.commands;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the data directory of a command. */
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (default: ./data).")
  private Path directory = Path.of("data");

  public Path directory() {
    return directory;
  }
}
