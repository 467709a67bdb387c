package dev.countersign.cli.list;

import dev.countersign.cli.terminal.CliException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The members of items as columns: those of the first page, in their order. An item that is not an
 * object has the single column {@code value}.
 */
record Columns(List<String> names) {
  private static final String VALUE = "value";

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
    try {
      return new Columns(lines.stream().flatMap(line -> CsvLine.read(line).stream()).toList());
    } catch (IllegalArgumentException malformed) {
      throw CliException.usage("--columns: " + malformed.getMessage());
    }
  }

  /**
   * The cells of an item: text as it is, null and absent values as empty, nested values as JSON.
   */
  List<String> cells(JsonNode item) {
    return names.stream().map(name -> cell(item, name)).toList();
  }

  /** The options that give a later run these columns, and no second header line. */
  List<String> options(boolean headerDue) {
    List<String> options = new ArrayList<>(List.of("--columns", CsvLine.of(names)));
    if (!headerDue) {
      options.add("--no-header");
    }
    return options;
  }

  /** The members of an item without a column. */
  List<String> others(JsonNode item) {
    return members(item).stream().filter(name -> !names.contains(name)).toList();
  }

  /** Returns whether the values of a column are numbers, which a table aligns to the right. */
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
    return value.isString() ? value.stringValue() : value.toString();
  }
}
