package dev.countersign.server.listings;

import dev.countersign.pagination.Sort;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of the statements on a listing's table, built from identifiers that were checked against
 * the table. Only {@link ListingStore} and {@link TableProbe} run them.
 */
final class ListingSql {
  private static final String PAGE = Dialect.quote("countersign page");
  private static final String PAGE_KEY = Dialect.quote("countersign page key");

  private final Listing listing;
  private final TableDialect dialect;
  private final String table;
  private final String columns;

  ListingSql(Listing listing, TableDialect dialect) {
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
   * @param isReversed whether the rows come in the opposite order
   */
  record Order(Sort sort, Set<String> fixed, boolean isReversed) {
    Order(Sort sort, Set<String> fixed) {
      this(sort, fixed, false);
    }

    Order reversed() {
      return new Order(sort, fixed, !isReversed);
    }
  }

  /** Returns the clause that orders the rows. */
  String orderBy(Order by, SortOrder order) {
    String terms =
        terms(by).stream()
            .map(
                term ->
                    (term.direction() == Sort.Direction.ASC) != by.isReversed()
                        ? dialect.ascending(term.column(), order)
                        : dialect.descending(term.column(), order))
            .collect(Collectors.joining(", "));
    return " ORDER BY " + terms;
  }

  /**
   * Returns the clause that limits the rows to those of a page. It has one parameter, the offset,
   * except for the first page.
   *
   * <p>Design note: the size is part of the text. If it were a parameter, PostgreSQL would estimate
   * a tenth of the rows in a generic plan, and so it would plan each execution anew.
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

  /**
   * Returns the fields whose values place a record in this order: those of the sort, and the key.
   */
  List<Field> placing(Sort sort) {
    return Stream.concat(
            sort.orders().stream().map(Sort.Order::property).map(listing::field),
            Stream.of(listing.key()))
        .distinct()
        .sorted(Comparator.comparing(listing.key()::equals)) // the key comes last
        .toList();
  }

  /** Returns a statement that selects all fields of these rows, and the stored values of others. */
  String selectWithStored(List<Field> stored, Condition rows) {
    return select(columns + storedList(stored, ", "), rows);
  }

  /**
   * Returns a statement like {@link #selectWithStored}, without ORDER BY, that reads only the rows
   * of a page as a whole. It finds their keys first, in an index alone if one has the columns of
   * the sort and the filters. The key must be unique.
   *
   * @param keys the rows of the list
   * @param page the clauses that order and limit the keys
   * @param rows the condition that the rows of the page must satisfy, too
   */
  String selectByKeys(List<Field> stored, Condition keys, String page, Condition rows) {
    String key = quoted(listing.key());
    // SQLite keeps the order of a CROSS JOIN. Otherwise it could read the whole table in the order
    // of the page, and look for each row among the keys.
    return "SELECT "
        + columns
        + storedList(stored, ", ")
        + " FROM ("
        + select(key + " AS " + PAGE_KEY, keys)
        + page
        + ") AS "
        + PAGE
        + " CROSS JOIN "
        + table
        + Condition.all(
                List.of(
                    new Condition(key + dialect.operator("=") + PAGE + '.' + PAGE_KEY, List.of()),
                    rows))
            .where();
  }

  /** Returns a statement that selects only the stored values of fields. */
  String selectStored(List<Field> stored, Condition rows) {
    return select(storedList(stored, ""), rows);
  }

  // Each expression has an alias that no column has. Otherwise ORDER BY, which names a column,
  // could sort by the expression instead.
  private String storedList(List<Field> stored, String before) {
    return stored.stream()
        .map(
            field ->
                dialect.stored(field.column())
                    + " AS "
                    + Dialect.quote("countersign place " + stored.indexOf(field)))
        .collect(Collectors.joining(", ", before, ""));
  }

  /**
   * Returns conditions for the rows that follow a place in an order. The rows of each condition
   * come before those of the next, and an index that serves the order serves each condition.
   *
   * @param place the stored value of each column that the order may have, null for NULL
   */
  List<Condition> following(Order by, SortOrder order, Map<String, @Nullable Object> place) {
    List<Term> terms = terms(by);
    boolean isPlain =
        terms.stream()
            .allMatch(
                term ->
                    term.direction() == terms.getFirst().direction()
                        && !term.column().nullable()
                        && dialect.sortKey(term.column(), order).hasRanges()
                        && place.get(term.column().name()) != null);
    return isPlain ? List.of(rowsAfter(terms, order, place)) : groupsAfter(terms, order, place);
  }

  // One comparison of rows is one range of an index.
  private Condition rowsAfter(
      List<Term> terms, SortOrder order, Map<String, @Nullable Object> place) {
    List<TableDialect.SortKey> keys =
        terms.stream().map(term -> dialect.sortKey(term.column(), order)).toList();
    String after = dialect.operator(terms.getFirst().direction() == Sort.Direction.ASC ? ">" : "<");
    return new Condition(
        keys.stream()
                .map(TableDialect.SortKey::expression)
                .collect(Collectors.joining(", ", "(", ")"))
            + after
            + keys.stream()
                .map(TableDialect.SortKey::parameter)
                .collect(Collectors.joining(", ", "(", ")")),
        terms.stream()
            .<Object>map(term -> Objects.requireNonNull(place.get(term.column().name())))
            .toList());
  }

  // The nearest rows share the most values with the place.
  private List<Condition> groupsAfter(
      List<Term> terms, SortOrder order, Map<String, @Nullable Object> place) {
    List<Condition> shared = new ArrayList<>();
    Deque<List<Condition>> nearest = new ArrayDeque<>();
    for (Term term : terms) {
      TableDialect.SortKey key = dialect.sortKey(term.column(), order);
      boolean ascends = term.direction() == Sort.Direction.ASC;
      boolean isNullFirst = key.isNullFirst() == ascends;
      Object value = place.get(term.column().name());
      String name = dialect.column(term.column().name());
      List<Condition> after = new ArrayList<>();
      if (value != null) {
        String operator = dialect.operator(ascends ? ">" : "<");
        after.add(new Condition(key.expression() + operator + key.parameter(), List.of(value)));
        if (term.column().nullable() && !isNullFirst) {
          after.add(new Condition(name + " IS NULL", List.of()));
        }
      } else if (isNullFirst) {
        after.add(new Condition(name + " IS NOT NULL", List.of()));
      }
      nearest.push(
          after.stream()
              .map(one -> Condition.all(Stream.concat(shared.stream(), Stream.of(one)).toList()))
              .toList());
      shared.add(
          value == null
              ? new Condition(name + " IS NULL", List.of())
              : new Condition(
                  key.expression() + dialect.operator("=") + key.parameter(), List.of(value)));
    }
    return nearest.stream().flatMap(List::stream).toList();
  }

  private Table.Column sorted(Field field) {
    // A key counts as NOT NULL even in a view. So no order of NULLs is stated, and a plain index
    // serves the sort.
    return field.equals(listing.key()) ? field.column().asNotNull() : field.column();
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
