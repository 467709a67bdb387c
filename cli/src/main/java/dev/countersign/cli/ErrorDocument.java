package dev.countersign.cli;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.OneLine;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A failure as one JSON object on one line: reason, message, exitCode, and further details. */
final class ErrorDocument {
  private ErrorDocument() {}

  static String of(CliException failure) {
    JsonMapper json = new JsonMapper();
    ObjectNode document = json.createObjectNode();
    document.put("reason", failure.reason());
    document.put("message", OneLine.of(failure.text()));
    document.put("exitCode", failure.exitCode().code());
    failure.members().forEach(document::putPOJO);
    return json.writeValueAsString(document);
  }
}
