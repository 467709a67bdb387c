package dev.countersign.server.listings.suggestions;

import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The columns that may identify a record, the best first: columns that the database proves to be
 * unique and not null, then unique ones, then those whose names suggest it.
 */
final class KeyCandidates {
  private static final Set<String> USUAL_NAMES = Set.of("id", "uuid", "guid");
  // The ranks of candidates. The rank of the column name, 0 to 2, is added to all but FIRST.
  private static final int PROVEN = 0;
  private static final int UNIQUE = 10;
  private static final int NAMED = 20;
  private static final int FIRST = 30;

  private final Table table;
  private final Set<String> namesFromTable;
  private final List<Candidate> inOrder = new ArrayList<>();

  /**
   * A column that may be the key.
   *
   * @param column the column
   * @param type its type as a key
   * @param isProven whether the database proves that it is unique and not null
   * @param rank the lower, the better
   */
  record Candidate(Table.Column column, ColumnType type, boolean isProven, int rank) {}

  private KeyCandidates(Table table, TableName name) {
    this.table = table;
    String tableName = plain(name.table());
    String singular = tableName.replaceAll("ies$", "y").replaceAll("s$", "");
    this.namesFromTable = Set.copyOf(List.of(tableName + "id", singular + "id", singular + "uuid"));
  }

  /** Finds the candidates among the columns that the user may read. */
  static KeyCandidates of(Table table, TableName name, List<Table.Column> readable) {
    KeyCandidates candidates = new KeyCandidates(table, name);
    for (int at = 0; at < readable.size(); at++) {
      candidates.add(readable.get(at), at == 0);
    }
    candidates.inOrder.sort(Comparator.comparingInt(Candidate::rank));
    return candidates;
  }

  private void add(Table.Column column, boolean isFirst) {
    OptionalInt rank = rank(column, isFirst);
    if (rank.isPresent()) {
      SuggestedType.ofKey(column)
          .map(type -> new Candidate(column, type, rank.getAsInt() < UNIQUE, rank.getAsInt()))
          .ifPresent(inOrder::add);
    }
  }

  private OptionalInt rank(Table.Column column, boolean isFirst) {
    String name = plain(column.name());
    int byName = USUAL_NAMES.contains(name) ? 0 : namesFromTable.contains(name) ? 1 : 2;
    if (table.uniqueColumns().contains(column.name())) {
      return OptionalInt.of((column.nullable() ? UNIQUE : PROVEN) + byName);
    }
    if (byName < 2) {
      return OptionalInt.of(NAMED + byName);
    }
    // A view often begins with the key of the table behind it, as in SELECT account_id, sum(…).
    boolean isKeyOfView = table.kind() != Table.Kind.TABLE && isFirst && name.endsWith("id");
    return isKeyOfView ? OptionalInt.of(FIRST) : OptionalInt.empty();
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("_", "");
  }

  List<Candidate> inOrder() {
    return List.copyOf(inOrder);
  }

  /** Returns why the table has no key, and how the operator can add one. */
  String reasonForNone() {
    return table.kind() == Table.Kind.TABLE
        ? "no single column of type uuid, text or integer is known to be unique; add a unique index"
            + " on one column, or serve a view with such a column"
        : "no column looks like a key; a "
            + table.kind().words()
            + " needs a unique column of type uuid, text or integer, such as id";
  }
}
