package dev.countersign.server.commands;

import dev.countersign.server.store.SqliteBackup;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the database into another directory, even while the service is running. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    description = {
      "Copies a consistent snapshot of the database to DIR. The service can keep running.",
      "To run the copy: countersign serve --data DIR"
    },
    footer = {"", "Example:", "  countersign backup /var/backups/countersign --data /srv/data"})
public final class BackupCommand implements Runnable {
  @Mixin private final DataOption data;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A new or empty directory for the copy.")
  private Path target = Path.of("");

  public BackupCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(context -> report(context.database().backup(target)));
  }

  private void report(SqliteBackup.Form form) {
    if (form == SqliteBackup.Form.PAGES) {
      OperatorErrors.warn(
          spec.commandLine(),
          "a table uses a collation or function that only another program registers, so the copy"
              + " contains every page of the file, and deleted rows may still be in it");
    }
    spec.commandLine().getOut().println("copied to " + target.toAbsolutePath().normalize());
    spec.commandLine().getOut().flush();
  }
}
