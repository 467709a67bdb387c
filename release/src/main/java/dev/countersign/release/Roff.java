package dev.countersign.release;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A manual page in groff's man macros, see groff_man(7). All input is text: none of its characters
 * acts as a request or an escape.
 */
final class Roff {
  private final StringBuilder text = new StringBuilder();

  /**
   * Starts a page of section 1. The page has no date, so the same sources give the same page.
   *
   * @param name the name of the page, such as {@code countersign-call}
   * @param source the program and its version
   */
  static Roff page(String name, String source) {
    Roff page = new Roff();
    page.text.append(
        ".TH "
            + quoted(name.toUpperCase(Locale.ROOT))
            + " 1 \"\" "
            + quoted(source)
            + " \"Countersign\"\n");
    // Turns off hyphenation and stretched spaces, because people copy commands from the page.
    page.text.append(".nh\n.ad l\n");
    return page;
  }

  Roff section(String heading) {
    text.append(".SH ").append(quoted(heading)).append('\n');
    return this;
  }

  Roff subsection(String heading) {
    text.append(".SS ").append(quoted(heading)).append('\n');
    return this;
  }

  Roff paragraph(String words) {
    text.append(".PP\n").append(line(words)).append('\n');
    return this;
  }

  /** Adds the section NAME. Its single line is the line that whatis(1) shows. */
  Roff name(String name, String purpose) {
    section("NAME");
    text.append(escaped(name)).append(" \\- ").append(escaped(purpose)).append('\n');
    return this;
  }

  /** Adds a term with its meaning indented below it. */
  Roff item(String term, String meaning) {
    text.append(".TP\n.B ").append(quoted(term)).append('\n');
    text.append(meaning.isBlank() ? "\\&" : line(meaning)).append('\n');
    return this;
  }

  /** Adds lines that are indented but otherwise unchanged. */
  Roff verbatim(List<String> lines) {
    text.append(".PP\n.RS 4\n.nf\n");
    text.append(lines.stream().map(Roff::line).collect(Collectors.joining("\n")));
    text.append("\n.fi\n.RE\n");
    return this;
  }

  /** Adds the section SEE ALSO, which refers to other pages of section 1. */
  Roff seeAlso(List<String> pages) {
    section("SEE ALSO");
    text.append(
        pages.stream()
            .map(page -> ".BR " + quoted(page) + " (1)")
            .collect(Collectors.joining(" ,\n", "", "\n")));
    return this;
  }

  private static String quoted(String argument) {
    // A quotation mark inside an argument is written twice (groff 5.6.1).
    return '"' + escaped(argument).replace("\"", "\"\"") + '"';
  }

  /**
   * Escapes a full stop or an apostrophe at the beginning of a line, because groff would read the
   * line as a request.
   */
  private static String line(String words) {
    String escaped = escaped(words);
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private static String escaped(String words) {
    StringBuilder escaped = new StringBuilder();
    words.codePoints().forEach(c -> escaped.append(escaped(c)));
    return escaped.toString();
  }

  private static String escaped(int c) {
    return switch (c) {
      case '\\' -> "\\e";
      // Without an escape, groff prints a typographic character, which no shell understands.
      case '-' -> "\\-";
      case '`' -> "\\(ga";
      case '^' -> "\\(ha";
      case '~' -> "\\(ti";
      case '\'' -> "\\(aq";
      case '\n', '\r', '\t' -> " ";
      default -> c < 0x80 ? Character.toString(c) : String.format(Locale.ROOT, "\\[u%04X]", c);
    };
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
