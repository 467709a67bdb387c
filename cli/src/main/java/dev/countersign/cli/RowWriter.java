package dev.countersign.cli;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes items page by page in one format; after each page all that was written is valid. */
interface RowWriter {

  /** Writes the items of one page, and hands them to the reader at once. */
  void write(List<JsonNode> items) throws IOException;

  /** Ends the output, so that what was written is a whole even where items are missing. */
  void end() throws IOException;

  /** Options that make a later run go on where this one stopped; empty where none are needed. */
  default List<String> toGoOn() {
    return List.of();
  }
}
