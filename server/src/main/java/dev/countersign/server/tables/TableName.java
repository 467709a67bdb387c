package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table or view in the configuration, such as {@code entries}, {@code ledger.entries}
 * or {@code "Ledger"."monthly entries"}. Upper and lower case matter.
 *
 * @param schema the schema; null to find the table by the search path
 * @param table the table's own name
 */
public record TableName(@Nullable String schema, String table) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String PART = "(" + PLAIN + "|\"(?:[^\"\\x00]|\"\")+\")";
  private static final Pattern NAME = Pattern.compile("(?:" + PART + "\\.)?" + PART);

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException if it is malformed; the message completes "table"
   */
  public static TableName parse(String text) {
    Matcher name = NAME.matcher(text);
    if (!name.matches()) {
      throw new IllegalArgumentException(
          "must be a letter or _, followed by letters, digits or _, optionally after the name of"
              + " its schema and a dot; write other names in double quotes; was '"
              + text
              + "'");
    }
    String schema = name.group(1);
    return new TableName(schema == null ? null : bare(schema), bare(name.group(2)));
  }

  /** Returns the name as it is written in the configuration, in double quotes where necessary. */
  public String text() {
    return schema == null ? written(table) : written(schema) + "." + written(table);
  }

  private static String written(String part) {
    return PLAIN.matcher(part).matches() ? part : Dialect.quote(part);
  }

  private static String bare(String part) {
    return part.startsWith("\"")
        ? part.substring(1, part.length() - 1).replace("\"\"", "\"")
        : part;
  }
}
