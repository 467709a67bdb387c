package dev.countersign.server.commands.audit;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.ChainVerification;
import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks the hash chain of the audit trail. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks that no entry was altered, removed or moved. Prints the head (the latest hash).",
      "Note the head elsewhere. Later, --head proves that every entry up to that head still exists."
    },
    footer = {"", "Example:", "  countersign audit verify"})
final class AuditVerifyCommand implements Runnable {
  @Mixin private final DataOption data;

  @Option(
      names = "--head",
      paramLabel = "HASH",
      description = "A head noted earlier that must still be in the chain.")
  private @Nullable String head;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  AuditVerifyCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    String expectedHead = head == null ? null : parseHead(head);
    data.open(
        context -> {
          AuditTrail trail = context.auditTrail();
          report(expectedHead == null ? trail.verify() : trail.verify(expectedHead));
        });
  }

  private String parseHead(String text) {
    return AuditTrail.parseHash(text)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--head must be 64 hexadecimal digits, as audit verify prints them"));
  }

  private void report(ChainVerification verification) {
    if (!(verification instanceof ChainVerification.Intact)) {
      throw new CommandException(verification.message());
    }
    spec.commandLine().getOut().println(verification.message());
    spec.commandLine().getOut().flush();
  }
}
