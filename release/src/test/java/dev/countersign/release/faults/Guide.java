package dev.countersign.release.faults;

import dev.countersign.release.Markdown;
import dev.countersign.release.Markdown.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The blocks of the guide to three nodes in {@code docs/operating.md}. */
final class Guide {
  private static final String HEADING = "## From one node to three";

  private final List<Block> blocks;

  private Guide(List<Block> blocks) {
    this.blocks = blocks;
  }

  static Guide read(Path document) throws IOException {
    return new Guide(Markdown.read(document).section(HEADING).blocks());
  }

  /** Returns the text of the block below the comment with this name. */
  String block(String name) {
    return blocks.stream()
        .filter(block -> block.note().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the guide has no block " + name))
        .text();
  }

  /** Replaces a text that must be there, because it would otherwise be served as it is. */
  static String replace(String block, String text, String replacement) {
    if (!block.contains(text)) {
      throw new IllegalArgumentException("the guide's block has no " + text + ": " + block);
    }
    return block.replace(text, replacement);
  }
}
