package dev.countersign.server.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the content of a SQLite file, and separates damage from what is only unexpected.
 *
 * <p>Only messages of <a href="https://www.sqlite.org/pragma.html#pragma_quick_check">{@code PRAGMA
 * quick_check}</a> that are known to concern rows are warnings: a row of the operator's table that
 * violates a CHECK or NOT NULL constraint or has a value of another type, and a full-text index
 * that can be rebuilt. Any other message is damage. Rows of the service's own tables are the
 * service's work, so for them every message is damage.
 *
 * <p>A table may use a collation or a function that only another program registers. Then the tables
 * are checked one by one, as far as SQLite understands them.
 */
final class SqliteCheck {
  // The maximum number of messages of quick_check if no other is given.
  private static final int DEFAULT_LIMIT = 100;
  private static final int RAISED_LIMIT = 100_000;
  // The maximum number of faults in the warning of one table.
  private static final int SHOWN = 5;

  private static final Pattern ROW =
      Pattern.compile(
          "(?<fault>CHECK constraint failed|NULL value|(?:non-)?[A-Z]+ value) in (?<where>.+)",
          Pattern.DOTALL);
  private static final Pattern FULL_TEXT =
      Pattern.compile("\\bUSING\\s+fts[345]\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTENTLESS =
      Pattern.compile("\\bcontent\\s*=\\s*(''|\"\")", Pattern.CASE_INSENSITIVE);

  private final Statement statement;
  private final Path file;
  // The definitions of all tables by name, the longest name first.
  private final Map<String, String> tables = new LinkedHashMap<>();
  private final Map<String, Set<String>> faults = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();

  private SqliteCheck(Statement statement, Path file) {
    this.statement = statement;
    this.file = file;
  }

  /**
   * Checks a file. It may contain tables of the operator.
   *
   * @return the warnings, each in one line
   * @throws StoreException if the file is damaged
   * @throws SQLException if the file cannot be checked
   */
  static List<String> run(Connection connection, Path file) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return new SqliteCheck(statement, file).warnings();
    }
  }

  /**
   * Checks a file that has only the service's own tables. Every message is damage.
   *
   * @throws StoreException if the file is damaged
   */
  static void runStrict(Connection connection, Path file) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      String message = rows.next() ? rows.getString(1) : "";
      if (!message.equals("ok")) {
        throw damaged(file, message);
      }
    }
  }

  private List<String> warnings() throws SQLException {
    readDefinitions();
    try {
      check("", DEFAULT_LIMIT);
    } catch (SQLException e) {
      requireForeign(e);
      checkEach();
    }
    for (Map.Entry<String, Set<String>> table : faults.entrySet()) {
      warnings.add(sentence(table.getKey(), table.getValue()));
    }
    return warnings;
  }

  private void readDefinitions() throws SQLException {
    Map<String, String> read = new LinkedHashMap<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")) {
      while (rows.next()) {
        read.put(rows.getString(1), rows.getString(2));
      }
    }
    read.keySet().stream()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .forEach(name -> tables.put(name, read.get(name)));
  }

  /**
   * Checks all tables, or one of them.
   *
   * @param table the name of the table; empty for all
   */
  private void check(String table, int limit) throws SQLException {
    if (messages(table, limit) < limit) {
      return;
    }
    // Violated CHECK constraints alone may have filled the limit and hidden damage.
    int rest =
        withoutConstraints(() -> messages(table, table.isEmpty() ? RAISED_LIMIT : DEFAULT_LIMIT));
    if (rest >= (table.isEmpty() ? RAISED_LIMIT : DEFAULT_LIMIT)) {
      warnings.add(
          file
              + ": the check was cut off after "
              + rest
              + " unexpected values"
              + (table.isEmpty() ? "" : " in the table " + table)
              + "; what follows them is not checked");
    }
    for (String own : tables.keySet().stream().filter(Migrations::isOwnTable).toList()) {
      messages(own, DEFAULT_LIMIT);
    }
  }

  private int messages(String table, int limit) throws SQLException {
    String argument = table.isEmpty() ? String.valueOf(limit) : quoted(table);
    int count = 0;
    List<String> others = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("PRAGMA quick_check(" + argument + ")")) {
      while (rows.next()) {
        String message = rows.getString(1);
        if (!message.equals("ok")) {
          count++;
          if (!recordRowFault(message)) {
            others.add(message);
          }
        }
      }
    }
    if (!others.isEmpty()) {
      requireFullText(others);
    }
    return count;
  }

  /**
   * Returns whether a message concerns a row of an operator's table, and records its fault if so.
   */
  private boolean recordRowFault(String message) {
    Matcher row = ROW.matcher(message);
    if (!row.matches()) {
      return false;
    }
    String where = row.group("where");
    boolean isCheck = row.group("fault").startsWith("CHECK");
    Optional<String> table =
        tables.keySet().stream()
            .filter(name -> isCheck ? where.equals(name) : where.startsWith(name + "."))
            .findFirst();
    if (table.isEmpty() || Migrations.isOwnTable(table.get())) {
      return false;
    }
    faults.computeIfAbsent(table.get(), name -> new LinkedHashSet<>()).add(message);
    return true;
  }

  /**
   * Throws unless every message concerns a full-text index, which reports its own damage and can be
   * rebuilt.
   */
  private void requireFullText(List<String> messages) throws SQLException {
    List<String> unknown = new ArrayList<>(messages);
    for (Map.Entry<String, String> table : tables.entrySet()) {
      if (FULL_TEXT.matcher(table.getValue()).find() && removeMessagesOf(table.getKey(), unknown)) {
        String warning = fullText(table.getKey(), table.getValue());
        if (!warnings.contains(warning)) {
          warnings.add(warning);
        }
      }
    }
    if (!unknown.isEmpty()) {
      throw damaged(file, unknown.get(0));
    }
  }

  private boolean removeMessagesOf(String table, List<String> messages) throws SQLException {
    boolean found = false;
    try (ResultSet rows = statement.executeQuery("PRAGMA quick_check(" + quoted(table) + ")")) {
      while (rows.next()) {
        found |= messages.remove(rows.getString(1));
      }
    }
    return found;
  }

  private String fullText(String table, String definition) {
    String name = Dialect.quote(table);
    return file
        + ": the full-text index "
        + table
        + " is damaged; other tables are served: "
        + (CONTENTLESS.matcher(definition).find()
            ? "it keeps no content, so drop it and fill it again"
            : "rebuild it with INSERT INTO " + name + "(" + name + ") VALUES ('rebuild')");
  }

  /** Checks table by table, because a table uses what only another program registers. */
  private void checkEach() throws SQLException {
    for (String table : tables.keySet()) {
      try {
        check(table, DEFAULT_LIMIT);
      } catch (SQLException e) {
        requireForeign(e);
        checkInPart(table, e);
      }
    }
  }

  private void checkInPart(String table, SQLException refusal) throws SQLException {
    String cause = SqliteDialect.message(refusal);
    if (Migrations.isOwnTable(table)) {
      throw damaged(file, cause);
    }
    try {
      withoutConstraints(() -> messages(table, DEFAULT_LIMIT));
      warnings.add(
          file + ": CHECK constraints of the table " + table + " are not checked: " + cause);
    } catch (SQLException e) {
      requireForeign(e);
      warnings.add(file + ": the table " + table + " is not checked: " + cause);
    }
  }

  /** Rethrows a failure unless it is an unknown collation or function (SQLITE_ERROR). */
  private static void requireForeign(SQLException failure) throws SQLException {
    if (!SqliteFile.isStatementError(failure)) {
      throw failure;
    }
  }

  private interface Step {
    int run() throws SQLException;
  }

  private int withoutConstraints(Step step) throws SQLException {
    statement.execute("PRAGMA ignore_check_constraints = ON");
    try {
      return step.run();
    } finally {
      statement.execute("PRAGMA ignore_check_constraints = OFF");
    }
  }

  private String sentence(String table, Set<String> messages) {
    List<String> shown = messages.stream().limit(SHOWN).toList();
    int more = messages.size() - shown.size();
    return file
        + ": rows of the table "
        + table
        + " do not follow its definition and are served as they are: "
        + String.join(", ", shown)
        + (more == 0 ? "" : ", and " + more + " more faults");
  }

  private static String quoted(String name) {
    return "'" + name.replace("'", "''") + "'";
  }

  private static StoreException damaged(Path file, String message) {
    // A line such as *** in database main *** is a heading.
    return SqliteFile.damaged(
        file,
        message.lines().filter(line -> !line.startsWith("***")).findFirst().orElse("quick_check"));
  }
}
