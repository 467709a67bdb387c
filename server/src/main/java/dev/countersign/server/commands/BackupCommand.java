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
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A new or empty directory for the copy.")
  private Path target = Path.of("");

  public BackupCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    SqliteBackup.Form form;
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      form = context.database().backup(target);
    }
    if (form == SqliteBackup.Form.PAGES) {
      OperatorErrors.warn(
          spec.commandLine(),
          "a table uses a collation or function of another program, so the copy has all pages of the"
              + " file: deleted rows may still be in it");
    }
    spec.commandLine().getOut().println("copied to " + target.toAbsolutePath().normalize());
    spec.commandLine().getOut().flush();
  }
}
