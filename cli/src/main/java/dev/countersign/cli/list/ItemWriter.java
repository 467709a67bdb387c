package dev.countersign.cli.list;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes items page by page in one format. After any page, {@link #end} makes the output valid. */
interface ItemWriter {

  /** Writes the items of one page, and flushes them to the reader. */
  void write(List<JsonNode> items) throws IOException;

  /** Ends the output, so that it is valid even if items are missing. */
  void end() throws IOException;

  /** The options that a later run needs to continue this output; empty if it needs none. */
  default List<String> resumeOptions() {
    return List.of();
  }
}
