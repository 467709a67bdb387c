package dev.countersign.cli.list;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes items page by page in one format. After each page, everything written so far is valid. */
interface ItemWriter {

  /** Writes the items of one page, and flushes them to the reader. */
  void write(List<JsonNode> items) throws IOException;

  /** Ends the output, so that it is valid even if items are missing. */
  void end() throws IOException;

  /** Options with which a later run continues this one; empty if none are needed. */
  default List<String> toGoOn() {
    return List.of();
  }
}
