package dev.countersign.server.listings;

import dev.countersign.pagination.Sort;
import dev.countersign.server.store.Condition;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.Table;
import dev.countersign.server.store.values.SortOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text of the statements on a listing's table, built from identifiers that were checked against
 * the table. Only {@link ListingStore} and {@link TableProbe} run them.
 */
final class ListingSql {
  private final Listing listing;
  private final Dialect dialect;
  private final String table;
  private final String columns;

  ListingSql(Listing listing, Dialect dialect) {
    this.listing = listing;
    this.dialect = dialect;
    this.table = listing.table().sql();
    this.columns = columnList(listing.fields());
  }

  /** Returns a statement that selects an expression from the rows, without other clauses. */
  String select(String expression, Condition rows) {
    return "SELECT " + expression + " FROM " + table + rows.where();
  }

  /** Returns a statement that counts the rows. */
  String count(Condition rows) {
    return select(dialect.count(), rows);
  }

  /** Returns a statement that selects all fields, in their order, of these rows. */
  String selectFields(Condition rows) {
    return select(columns, rows);
  }

  /**
   * The order of a page.
   *
   * @param sort the sort of the request
   * @param fixed the fields that have one value in all rows, so that they need not be sorted
   */
  record Order(Sort sort, Set<String> fixed) {}

  /** Returns the clause that orders the rows. */
  String orderBy(Order by, SortOrder order) {
    String terms =
        terms(by).stream()
            .map(
                term ->
                    term.direction() == Sort.Direction.ASC
                        ? dialect.ascending(term.column(), order)
                        : dialect.descending(term.column(), order))
            .collect(Collectors.joining(", "));
    return " ORDER BY " + terms;
  }

  /**
   * Returns the clause that limits the rows to those of a page. It has one parameter, the offset,
   * except for the first page.
   *
   * <p>Design note: the size is part of the text. For a parameter, PostgreSQL expects a tenth of
   * the rows in a plan that it keeps, and so it would plan each execution anew.
   */
  static String limit(int size, boolean isFirst) {
    return " LIMIT " + size + (isFirst ? "" : " OFFSET ?");
  }

  /** A column of ORDER BY, and its direction. */
  record Term(Table.Column column, Sort.Direction direction) {}

  /** Returns the columns that order the records: those of the sort, then the key if needed. */
  List<Term> terms(Order by) {
    List<Term> terms = new ArrayList<>();
    boolean isTotal = false;
    Sort.Direction direction = Sort.Direction.ASC;
    for (Sort.Order order : by.sort().orders()) {
      Field field = listing.field(order.property());
      direction = order.direction();
      if (by.fixed().contains(field.name())) {
        continue;
      }
      terms.add(new Term(sorted(field), direction));
      isTotal |= field.equals(listing.key()) || listing.isProvenUnique(field);
    }
    if (!isTotal) {
      // In the direction of the last property, so that one index serves both directions.
      terms.add(new Term(sorted(listing.key()), direction));
    }
    return terms;
  }

  private Table.Column sorted(Field field) {
    // Without a NULL the order of NULLs does not matter, and a plain index serves a view's key.
    return field.equals(listing.key()) ? field.column().notNull() : field.column();
  }

  /**
   * Returns a statement that inserts values for these fields. It returns all fields, then 1 if the
   * stored row fits the condition, and 0 otherwise.
   */
  String insert(Collection<Field> given, Condition fits) {
    String values =
        given.isEmpty()
            ? " DEFAULT VALUES"
            : " (" + columnList(given) + ") VALUES (" + parameters(given) + ")";
    String check =
        fits.equals(Condition.TRUE) ? "1" : "CASE WHEN " + fits.sql() + " THEN 1 ELSE 0 END";
    return "INSERT INTO " + table + values + " RETURNING " + columns + ", " + check;
  }

  private String parameters(Collection<Field> given) {
    return given.stream()
        .map(field -> dialect.parameter(field.column()))
        .collect(Collectors.joining(", "));
  }

  private String columnList(Collection<Field> fields) {
    return fields.stream().map(this::quoted).collect(Collectors.joining(", "));
  }

  /** Returns the column of a field in SQL. */
  String quoted(Field field) {
    return dialect.column(field.column().name());
  }
}
