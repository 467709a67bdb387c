package dev.countersign.server.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --data} of a command. Opens the store in that directory. */
public final class DataOption {
  private final OperatorContext.Opener opener;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (default: ./data).")
  private Path directory = Path.of("data");

  public DataOption(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  /** Runs work on an existing store. */
  public void open(Consumer<OperatorContext> work) {
    try (OperatorContext context = opener.open(directory, MissingData.REFUSE)) {
      work.accept(context);
    }
  }

  /** Runs work that may create the store. Reports a new data directory. */
  public void openOrCreate(Consumer<OperatorContext> work) {
    boolean isNew = Files.notExists(directory);
    try (OperatorContext context = opener.open(directory, MissingData.CREATE)) {
      work.accept(context);
    }
    if (isNew && Files.exists(directory)) {
      OperatorErrors.notice(
          command.commandLine(),
          "created a new data directory " + directory.toAbsolutePath().normalize());
    }
  }
}
