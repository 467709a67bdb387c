package dev.countersign.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The parts of a document that the tests read: fenced blocks, tables, links, headings. */
public final class Markdown {
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^(?:<!-- ([^\\n]*) -->\\n)?```(\\w+)\\n(.*?)^```$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|(.*)\\|$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  private final String text;

  private Markdown(String text) {
    this.text = text;
  }

  public static Markdown read(Path file) throws IOException {
    return new Markdown(Files.readString(file));
  }

  /**
   * A fenced block.
   *
   * @param note the comment above it, empty if there is none
   */
  public record Block(String note, String language, String text) {}

  public List<Block> blocks() {
    return BLOCK
        .matcher(text)
        .results()
        .map(r -> new Block(r.group(1) == null ? "" : r.group(1), r.group(2), r.group(3)))
        .toList();
  }

  List<Block> blocks(String language) {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  /**
   * Returns the part below a heading such as {@code ## SQLite}, up to the next one of its level.
   */
  public Markdown section(String heading) {
    int start = text.indexOf("\n" + heading + "\n");
    if (start < 0) {
      throw new AssertionError("no heading " + heading);
    }
    String level = heading.substring(0, heading.indexOf(' ') + 1);
    int next = text.indexOf("\n" + level, start + 1);
    return new Markdown(text.substring(start, next < 0 ? text.length() : next));
  }

  /**
   * A row of a table that begins with code.
   *
   * @param cells the other cells, without surrounding spaces
   */
  record Row(String name, List<String> cells) {}

  /** Returns the rows below a heading, up to the next heading. */
  List<Row> rowsUnder(String heading) {
    int start = text.indexOf("\n" + heading + "\n");
    if (start < 0) {
      throw new AssertionError("no heading " + heading);
    }
    int next = text.indexOf("\n#", start + 2);
    String section = text.substring(start, next < 0 ? text.length() : next);
    return ROW.matcher(section).results().map(Markdown::row).toList();
  }

  private static Row row(MatchResult row) {
    return new Row(
        row.group(1), Pattern.compile(" *\\| *").splitAsStream(row.group(2).strip()).toList());
  }

  List<String> links() {
    return LINK.matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(r -> r.group(1))
        .toList();
  }

  /** The anchors of the headings, as GitHub makes them. */
  List<String> anchors() {
    return HEADING
        .matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(r -> r.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .toList();
  }
}
