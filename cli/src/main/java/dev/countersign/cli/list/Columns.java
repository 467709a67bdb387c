package dev.countersign.cli.list;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.QuoteStrategies;
import de.siegmar.fastcsv.writer.QuoteStrategy;
import dev.countersign.cli.terminal.CliException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The members of items as columns: those of the first page, in their order. An item that is not an
 * object has the single column {@code value}.
 */
record Columns(List<String> names) {
  private static final String VALUE = "value";

  // RFC 4180, section 2, rules 5 to 7.
  private static final String CELL = "(?:\"(?:[^\"]|\"\")*+\"|[^\",\\r\\n]*+)";
  private static final Pattern STRICT_LINE = Pattern.compile(CELL + "(?:," + CELL + ")*+");

  Columns {
    names = List.copyOf(names);
  }

  static Columns of(List<JsonNode> items) {
    Set<String> names = new LinkedHashSet<>();
    items.forEach(item -> names.addAll(members(item)));
    return new Columns(new ArrayList<>(names));
  }

  /**
   * Parses columns as typed: names separated by commas, with quotes as in RFC 4180.
   *
   * @throws CliException when there is a misplaced quote
   */
  static Columns typed(List<String> lines) {
    return new Columns(lines.stream().flatMap(line -> parse(line).stream()).toList());
  }

  // The CSV library also accepts a quote inside an unquoted cell, and a cell without its closing
  // quote.
  private static List<String> parse(String line) {
    if (!STRICT_LINE.matcher(line).matches()) {
      throw CliException.usage(
          "--columns: quotes must enclose a whole name and be doubled inside it, was " + line);
    }
    return line.isEmpty() ? List.of("") : CsvReader.builder().ofSingleCsvRecord(line).getFields();
  }

  /** Returns a writer of records with these columns, which does not buffer. */
  CsvWriter csvWriter(Writer out) {
    // A single empty cell would be an empty line, which readers skip.
    QuoteStrategy quotes = names.size() <= 1 ? QuoteStrategies.EMPTY : QuoteStrategies.REQUIRED;
    // RFC 4180 has no comments, so a cell that looks like a comment needs no quotes.
    return CsvWriter.builder()
        .quoteStrategy(quotes)
        .commentCharacter('\0')
        .bufferSize(0)
        .build(out);
  }

  /** Writes cells as one record. A record without columns has a single empty cell. */
  static void write(CsvWriter csv, List<String> cells) {
    csv.writeRecord(cells.isEmpty() ? List.of("") : cells);
  }

  private String asTyped() {
    StringWriter line = new StringWriter();
    write(csvWriter(line), names);
    StringBuffer record = line.getBuffer();
    return record.substring(0, record.length() - "\r\n".length());
  }

  /**
   * The cells of an item: text as it is, null and absent values as empty, nested values as JSON.
   */
  List<String> cells(JsonNode item) {
    return names.stream().map(name -> cell(item, name)).toList();
  }

  /** The options with which a later run has the same columns and no second header line. */
  List<String> options(boolean headerDue) {
    List<String> options = new ArrayList<>(List.of("--columns", asTyped()));
    if (!headerDue) {
      options.add("--no-header");
    }
    return options;
  }

  /** The members of an item for which there is no column. */
  List<String> others(JsonNode item) {
    return members(item).stream().filter(name -> !names.contains(name)).toList();
  }

  /**
   * Returns whether the item's value in a column is a number, which a table aligns to the right.
   */
  static boolean isNumber(JsonNode item, String name) {
    return item.isObject() ? item.path(name).isNumber() : item.isNumber();
  }

  private static List<String> members(JsonNode item) {
    return item.isObject() ? new ArrayList<>(item.propertyNames()) : List.of(VALUE);
  }

  private static String cell(JsonNode item, String name) {
    JsonNode value = item.isObject() ? item.path(name) : item;
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isString() ? value.stringValue() : ItemJson.of(value);
  }
}
