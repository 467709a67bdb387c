package dev.countersign.server.listings;

import dev.countersign.pagination.Sort;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableDialect.SortPlan;
import dev.countersign.server.tables.ValueSyntax;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The service's own reads of a listing's table: the checks at the start, the plans of the sorts and
 * the number of rows for operators. They cover all rows, and none of them returns a record.
 */
final class TableProbe {
  private static final int MAX_CHECKED_ROWS = 1_000;
  // A row may have many megabytes.
  private static final int FETCH_SIZE = 100;

  private final Listing listing;
  private final Database database;
  private final TableDialect dialect;
  private final ListingSql statements;

  TableProbe(Listing listing, Database database) {
    this.listing = listing;
    this.database = database;
    this.dialect = TableDialect.of(database);
    this.statements = new ListingSql(listing, dialect);
  }

  /** Returns the number of rows in the table. */
  long total() {
    String count = statements.count(Condition.TRUE);
    return database.<Long>readTables(sql -> sql.sql(count).query(Long.class).single());
  }

  /** Reads no row, but fails like every later read if the database refuses to read the table. */
  void requireReadable() {
    String nothing = statements.selectFields(Condition.TRUE) + " LIMIT 0";
    database.readTables(sql -> sql.sql(nothing).query((row, number) -> row.getRow()).list());
  }

  /** Returns whether the table has at least this number of rows. Reads no more rows than that. */
  boolean hasAtLeast(int rows) {
    String last = statements.select("1", Condition.TRUE) + " LIMIT 1 OFFSET ?";
    return database.readTables(
        sql -> sql.sql(last).param(rows - 1).query((row, number) -> 1).optional().isPresent());
  }

  /**
   * Looks for rows that have one of these values in the column of a field. Returns empty, without
   * reading the whole table, if it has more rows than the maximum.
   */
  Optional<Listing.Sample> sample(Field field, List<Object> wanted, int maximum) {
    String all =
        "SELECT count(*) FROM ("
            + statements.select("1 AS counted", Condition.TRUE)
            + ListingSql.limit(maximum + 1, true)
            + ") AS bounded";
    Condition rows = dialect.equal(field.column(), field.type(), wanted);
    String found =
        statements.select(statements.quoted(field), rows) + ListingSql.limit(maximum, true);
    return database.readTables(
        sql -> {
          long total = sql.sql(all).query(Long.class).single();
          return total > maximum
              ? Optional.empty()
              : Optional.of(
                  new Listing.Sample(
                      total,
                      sql.sql(found)
                          .params(rows.parameters())
                          .query((row, number) -> text(row, field))
                          .list()));
        });
  }

  private String text(ResultSet row, Field field) throws SQLException {
    return String.valueOf(
        switch (field.type()) {
          case UUID -> dialect.uuidText(row, 1);
          case TEXT -> dialect.text(row, 1, field.column());
          default -> row.getLong(1);
        });
  }

  /**
   * The values of the first rows.
   *
   * @param unreadable the first unreadable value of each field that has one
   * @param forms by field, the forms of timestamps that the database sorts as texts
   */
  record FirstRows(List<UnreadableSample> unreadable, Map<Field, Set<String>> forms) {}

  /**
   * An unreadable value.
   *
   * @param place its place
   * @param storedAs the storage class that the database gives it; empty if it has none
   */
  record UnreadableSample(UnreadableValues.Value place, String storedAs) {}

  /**
   * Checks the values of up to 1,000 rows, the first in the order of the key, for at most a second.
   * Empty if the rows cannot be read within that time, for example because no index serves the
   * order.
   *
   * @throws DataAccessException if the database fails on a value that it computes
   */
  Optional<FirstRows> firstRows() {
    List<Field> fields =
        listing.fields().stream().filter(field -> dialect.hasUnreadable(field.type())).toList();
    String key = statements.quoted(listing.key());
    String first =
        statements.select(
                Stream.concat(Stream.of(key), fields.stream().map(statements::quoted))
                    .collect(Collectors.joining(", ")),
                Condition.TRUE)
            + statements.orderBy(new ListingSql.Order(Sort.unsorted(), Set.of()), listing.order())
            + ListingSql.limit(MAX_CHECKED_ROWS, true);
    JsonRowWriter rows = new JsonRowWriter(listing, dialect);
    Map<Field, UnreadableSample> unreadable = new LinkedHashMap<>();
    Map<Field, Set<String>> forms = new LinkedHashMap<>();
    RowCallbackHandler each =
        row -> {
          int column = 2;
          for (Field field : fields) {
            if (!rows.canWrite(field, row, column)) {
              UnreadableValues.Value place =
                  new UnreadableValues.Value(listing, field, rows.shownKey(row, 1));
              unreadable.putIfAbsent(
                  field, new UnreadableSample(place, dialect.storedAs(row, column)));
            } else if (field.type() == ColumnType.TIMESTAMP) {
              dialect
                  .storedForm(row, column)
                  .ifPresent(
                      form -> forms.computeIfAbsent(field, any -> new TreeSet<>()).add(form));
            }
            column++;
          }
        };
    try {
      database
          .forHints()
          .readTables(
              sql -> {
                unreadable.clear();
                forms.clear();
                sql.sql(first).withFetchSize(FETCH_SIZE).query(each);
                return true;
              });
    } catch (StoreUnavailableException slow) {
      return Optional.empty();
    }
    return Optional.of(new FirstRows(List.copyOf(unreadable.values()), forms));
  }

  /**
   * Returns whether a record has an unreadable value in a field; empty if the record is not found,
   * for example because the unreadable value is its key.
   */
  Optional<Boolean> isUnreadable(Field field, @Nullable String key) {
    Field keyField = listing.key();
    Optional<Object> parsed =
        key == null || field.equals(keyField)
            ? Optional.empty()
            : ValueSyntax.parse(keyField.type(), key);
    if (parsed.isEmpty()) {
      return Optional.empty();
    }
    Condition row = dialect.equalAsShown(keyField.column(), keyField.type(), List.of(parsed.get()));
    String select = statements.select(statements.quoted(field), row);
    JsonRowWriter rows = new JsonRowWriter(listing, dialect);
    List<Boolean> found =
        database
            .forHints()
            .readTables(
                sql ->
                    sql.sql(select)
                        .params(row.parameters())
                        .query((result, number) -> rows.canWrite(field, result, 1))
                        .list());
    return found.isEmpty() ? Optional.empty() : Optional.of(found.contains(false));
  }

  /** Returns whether two rows have the same key, or a row has none. */
  boolean hasAmbiguousKey() {
    String key = statements.quoted(listing.key());
    String groups =
        statements.select("1", Condition.TRUE)
            + " GROUP BY "
            + key
            + " HAVING count(*) > 1 OR "
            + key
            + " IS NULL LIMIT 1";
    return !database
        .readTables(sql -> sql.sql(groups).query((row, number) -> row.getInt(1)).list())
        .isEmpty();
  }

  /** Returns whether an index finds the records of a client. */
  boolean isScopeServed(JdbcClient sql) {
    return isFoundByIndex(sql, anyScope(), scopeColumns());
  }

  /** Returns whether an index finds these rows, whose condition compares these columns. */
  boolean isFoundByIndex(JdbcClient sql, Condition rows, List<Table.Column> compared) {
    return dialect.isFoundByIndex(
        sql, listing.table(), statements.count(rows), compared, rows.parameters());
  }

  /** Returns the condition for a client that has one value for each attribute. */
  private Condition anyScope() {
    return Condition.all(
        listing.scopeFields().stream()
            .map(field -> dialect.equal(field.column(), field.type(), List.of(anyValue(field))))
            .toList());
  }

  /** Returns how the database plans a page of a client that has one value for each attribute. */
  SortPlan plan(JdbcClient sql, Sort.Order by, SortOrder order) {
    Condition rows = anyScope();
    String select =
        statements.selectFields(rows)
            + statements.orderBy(order(by), order)
            + ListingSql.limit(20, true);
    return dialect.sortPlan(sql, select, scopeColumns(), rows.parameters());
  }

  /** Returns the columns of the scope. */
  List<Table.Column> scopeColumns() {
    return listing.scopeFields().stream().map(Field::column).toList();
  }

  /** Returns the columns that order the records of a sort by this field. */
  List<Table.Column> sortColumns(String field) {
    return statements.terms(order(Sort.Order.asc(field))).stream()
        .map(ListingSql.Term::column)
        .toList();
  }

  private ListingSql.Order order(Sort.Order by) {
    return new ListingSql.Order(Sort.by(by), listing.scope().keySet());
  }

  // The value hardly occurs, so that the planner takes an index that finds it.
  private static Object anyValue(Field field) {
    return switch (field.type()) {
      case UUID -> new UUID(0, 0);
      case INTEGER -> Long.MIN_VALUE;
      default -> "";
    };
  }
}
