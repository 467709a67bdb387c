package dev.countersign.server.commands.audit;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Exports the audit trail to a file. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = "Writes the entries to a new CSV file in UTF-8, oldest first.",
    footer = {"", "Example:", "  countersign audit export audit.csv"})
final class AuditExportCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final AuditFilterOptions options = new AuditFilterOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to create; it must not exist.")
  private Path file = Path.of("");

  AuditExportCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(context -> export(context.auditTrail()));
  }

  private void export(AuditTrail trail) {
    try {
      long count = write(trail);
      spec.commandLine().getOut().println(count + " entries written to " + file);
      spec.commandLine().getOut().flush();
    } catch (FileAlreadyExistsException taken) {
      throw new CommandException(file + " already exists; choose another file");
    } catch (IOException failed) {
      throw new CommandException(file + " cannot be written: " + failed);
    }
  }

  private long write(AuditTrail trail) throws IOException {
    try (Writer out =
        Files.newBufferedWriter(
            file,
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      return trail.exportCsv(options.filter(), out);
    } catch (FileAlreadyExistsException taken) {
      throw taken;
    } catch (IOException | RuntimeException failed) {
      removePart(failed);
      throw failed;
    }
  }

  /** Removes a file that lacks entries, because it would look like a complete one. */
  private void removePart(Exception failed) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      failed.addSuppressed(stays);
    }
  }
}
