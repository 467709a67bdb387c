package dev.countersign.cli.list;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Writes the items of all pages as one JSON array, one item per line. No program has to hold the
 * whole array in memory.
 */
final class JsonArrayWriter implements ItemWriter {
  private final Writer out;
  private boolean opened;

  JsonArrayWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void write(List<JsonNode> items) throws IOException {
    for (JsonNode item : items) {
      out.write(opened ? ",\n" : "[\n");
      opened = true;
      out.write(ItemJson.of(item));
    }
    out.flush();
  }

  @Override
  public void end() throws IOException {
    out.write(opened ? "\n]\n" : "[]\n");
    out.flush();
  }
}
