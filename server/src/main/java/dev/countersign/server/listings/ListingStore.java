package dev.countersign.server.listings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.pagination.PageRequest;
import dev.countersign.pagination.Sort;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.SortOrder;
import dev.countersign.server.store.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.JsonGenerator;

/**
 * The SQL of a listing. The statements are built from identifiers that were checked against the
 * table. Every value is a parameter.
 */
final class ListingStore {
  private static final int STATEMENTS_KEPT = 256;

  private final Listing listing;
  private final Database database;
  private final Dialect dialect;
  private final JsonRowWriter rows;
  private final String table;
  private final String columns;
  private final String selectCount;
  private final String selectOne;
  // Bounded, because callers choose the sort.
  private final Cache<Sort, String> selectPages =
      Caffeine.newBuilder().maximumSize(STATEMENTS_KEPT).build();

  ListingStore(Listing listing, Database database) {
    this.listing = listing;
    this.database = database;
    this.dialect = database.dialect();
    this.rows = new JsonRowWriter(listing, dialect);
    this.table = listing.table().sql();
    this.columns = columnList(listing.fields());
    this.selectCount = "SELECT count(*) FROM " + table;
    this.selectOne =
        "SELECT "
            + columns
            + " FROM "
            + table
            + " WHERE "
            + dialect.equalTo(listing.key().column());
  }

  /** The number of rows in the table, and how many of them were written, in one snapshot. */
  record Counts(long total, int written) {}

  /** Writes the rows of a page as elements of the generator's current array. */
  Counts page(PageRequest request, JsonGenerator json) {
    String select = selectPages.get(request.sort(), this::selectPage);
    return database.readTables(
        sql -> {
          long total = sql.sql(selectCount).query(ListingStore::count);
          if (request.offset() >= total) {
            return new Counts(total, 0);
          }
          int written =
              sql.sql(select).param(request.size()).param(request.offset()).query(into(json));
          return new Counts(total, written);
        });
  }

  /** Returns the number of rows in the table. */
  long total() {
    return database.readTables(sql -> sql.sql(selectCount).query(ListingStore::count));
  }

  /** Reads no row, but fails like every later read if the database refuses to read the table. */
  void requireReadable() {
    String nothing = "SELECT " + columns + " FROM " + table + " LIMIT 0";
    database.readTables(sql -> sql.sql(nothing).query((row, number) -> row.getRow()).list());
  }

  /** Returns whether the table has at least this number of rows. Reads no more rows than that. */
  boolean hasAtLeast(int rows) {
    String last = "SELECT 1 FROM " + table + " LIMIT 1 OFFSET ?";
    return database.readTables(
        sql -> sql.sql(last).param(rows - 1).query((row, number) -> 1).optional().isPresent());
  }

  /** Returns whether two rows have the same key, or a row has none. */
  boolean hasAmbiguousKey() {
    String key = quoted(listing.key());
    String groups =
        "SELECT 1 FROM "
            + table
            + " GROUP BY "
            + key
            + " HAVING count(*) > 1 OR "
            + key
            + " IS NULL LIMIT 1";
    return !database
        .readTables(sql -> sql.sql(groups).query((row, number) -> row.getInt(1)).list())
        .isEmpty();
  }

  /** Writes the record with this key; writes nothing and returns false if there is none. */
  boolean find(Object key, JsonGenerator json) {
    return database.readTables(sql -> sql.sql(selectOne).param(dialect.bind(key)).query(into(json)))
        > 0;
  }

  /**
   * Inserts a record and writes it as stored.
   *
   * @param values the values by field; an omitted field gets its column's default
   * @return the record's key as text
   */
  String insert(JdbcClient sql, Map<Field, @Nullable Object> values, JsonGenerator json) {
    List<@Nullable Object> bound = new ArrayList<>();
    values.values().forEach(value -> bound.add(dialect.bind(value)));
    ResultSetExtractor<String> writeOne =
        result -> {
          rows.require(result.getMetaData());
          if (!result.next()) {
            throw UnreadableValueException.ofSkippedInsert(listing.table().name());
          }
          rows.write(result, json);
          return Objects.requireNonNull(rows.key(result), "a proven key is not null");
        };
    return dialect.onTables(
        sql, () -> sql.sql(insertInto(values.keySet())).params(bound).query(writeOne));
  }

  /** Returns an extractor that writes every row and counts the rows. */
  private ResultSetExtractor<Integer> into(JsonGenerator json) {
    return result -> {
      rows.require(result.getMetaData());
      int written = 0;
      while (result.next()) {
        rows.write(result, json);
        written++;
      }
      return written;
    };
  }

  private static long count(ResultSet result) throws SQLException {
    result.next();
    return result.getLong(1);
  }

  private String selectPage(Sort sort) {
    return selectPage(sort, listing.order());
  }

  /** Returns the statement that selects a page. Its parameters are the size and the offset. */
  String selectPage(Sort sort, SortOrder order) {
    String terms =
        terms(sort).stream()
            .map(
                term ->
                    term.direction() == Sort.Direction.ASC
                        ? dialect.ascending(term.column(), order)
                        : dialect.descending(term.column(), order))
            .collect(Collectors.joining(", "));
    return "SELECT " + columns + " FROM " + table + " ORDER BY " + terms + " LIMIT ? OFFSET ?";
  }

  /** A column of ORDER BY, and its direction. */
  record Term(Table.Column column, Sort.Direction direction) {}

  /** Returns the columns that order the records: those of the sort, then the key if needed. */
  List<Term> terms(Sort sort) {
    List<Term> terms = new ArrayList<>();
    boolean isTotal = false;
    Sort.Direction direction = Sort.Direction.ASC;
    for (Sort.Order order : sort.orders()) {
      Field field = listing.field(order.property());
      direction = order.direction();
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

  private String insertInto(Collection<Field> given) {
    String values =
        given.isEmpty()
            ? " DEFAULT VALUES"
            : " (" + columnList(given) + ") VALUES (" + parameters(given) + ")";
    return "INSERT INTO " + table + values + " RETURNING " + columns;
  }

  private String parameters(Collection<Field> given) {
    return given.stream()
        .map(field -> dialect.parameter(field.column()))
        .collect(Collectors.joining(", "));
  }

  private String columnList(Collection<Field> fields) {
    return fields.stream().map(this::quoted).collect(Collectors.joining(", "));
  }

  private String quoted(Field field) {
    return dialect.column(field.column().name());
  }
}
