package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.cli.captured.FileFailure;
import dev.countersign.cli.explain.CapturedCheck;
import dev.countersign.cli.explain.Cause;
import dev.countersign.cli.explain.Explanation;
import dev.countersign.cli.explain.Finding;
import dev.countersign.cli.explain.Hints;
import dev.countersign.cli.profile.Urls;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.protocol.PlainText;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints the explanation of a captured request: the result for each rule, the signature base and
 * the first difference.
 */
record OfflineExplanation(Environment environment, Output output) {

  /**
   * Explains the request.
   *
   * @throws CliException with {@link ExitCode#NOT_VERIFIED} when the signature was not verified
   */
  void explain(CaptureOptions capture, @Nullable String baseFile, @Nullable String signedUrl) {
    Hints hints =
        Hints.none()
            .withPublicKey(capture.publicKey().orElse(null))
            .withTime(capture.time().orElse(null))
            .withBase(baseFile == null ? null : read(baseFile))
            .withSignedUrl(signedUrl == null ? null : Urls.absolute(signedUrl).toString());
    CapturedRequest request = capture.request();
    Explanation explanation = CapturedCheck.explain(request, hints);
    Optional<CliException> refusal = capture.otherClient(request).or(() -> refusal(explanation));
    if (output.json()) {
      output.print(json(explanation, refusal));
    } else {
      print(explanation);
    }
    refusal.ifPresent(
        failure -> {
          throw failure;
        });
    output.note(
        "verified: the signature is valid"
            + (hints.at().isEmpty() ? "; its time was not checked" : ""));
  }

  private static Optional<CliException> refusal(Explanation explanation) {
    return explanation
        .cause()
        .map(
            cause ->
                new CliException(ExitCode.NOT_VERIFIED, explanation.reason(), cause.sentence()));
  }

  private String read(String file) {
    try {
      return Files.readString(environment.path(file), ISO_8859_1);
    } catch (IOException unreadable) {
      throw new CliException(
          ExitCode.FAILED,
          "base_unreadable",
          file + " cannot be read: " + FileFailure.text(unreadable),
          unreadable);
    }
  }

  private void print(Explanation explanation) {
    for (Finding finding : explanation.findings()) {
      output.print(
          String.format(Locale.ROOT, "%-12s", finding.state().word())
              + finding.rule().sentence()
              + (finding.note().isEmpty() ? "" : ": " + PlainText.compactLine(finding.note())));
    }
    explanation.base().ifPresent(base -> output.print("\nsignature base:\n" + base));
    explanation
        .cause()
        .flatMap(Cause::drawing)
        .ifPresent(drawing -> output.print("\nfirst difference, " + drawing));
  }

  private static String json(Explanation explanation, Optional<CliException> refusal) {
    JsonMapper json = JsonMapper.shared();
    ObjectNode document = json.createObjectNode();
    document.put("verified", explanation.isVerified() && refusal.isEmpty());
    document.put("reason", refusal.map(CliException::reason).orElse(explanation.reason()));
    refusal.ifPresent(failure -> document.put("cause", failure.text()));
    explanation.base().ifPresent(base -> document.put("signatureBase", base));
    ArrayNode rules = document.putArray("rules");
    for (Finding finding : explanation.findings()) {
      rules
          .addObject()
          .put("rule", finding.rule().name().toLowerCase(Locale.ROOT))
          .put("state", finding.state().word())
          .put("note", finding.note());
    }
    return json.writeValueAsString(document);
  }
}
