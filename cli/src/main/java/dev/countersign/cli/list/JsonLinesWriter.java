package dev.countersign.cli.list;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes one JSON value per line. */
final class JsonLinesWriter implements ItemWriter {
  private final Writer out;

  JsonLinesWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void write(List<JsonNode> items) throws IOException {
    for (JsonNode item : items) {
      out.write(ItemJson.of(item));
      out.write('\n');
    }
    out.flush();
  }

  @Override
  public void end() throws IOException {
    out.flush();
  }
}
