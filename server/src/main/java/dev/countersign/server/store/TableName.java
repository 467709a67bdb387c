package dev.countersign.server.store;

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
  private static final String PART = "([A-Za-z_][A-Za-z0-9_]*|\"(?:[^\"\\x00]|\"\")+\")";
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

  private static String bare(String part) {
    return part.startsWith("\"")
        ? part.substring(1, part.length() - 1).replace("\"\"", "\"")
        : part;
  }
}
