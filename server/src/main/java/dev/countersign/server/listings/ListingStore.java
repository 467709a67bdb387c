package dev.countersign.server.listings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.pagination.PageRequest;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.UnreadableValues.UnreadableValueException;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Condition;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import dev.countersign.server.store.Table;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.JsonGenerator;

/**
 * The statements with which a client reads and creates the records of a listing. Each takes the
 * {@link CallerScope} of the client, and every value is a parameter.
 */
final class ListingStore {
  private static final int SORTS_KEPT = 256;
  // A page within this many records costs so little that it is read before the list is counted.
  private static final long READ_FIRST = 1_000;

  private final Listing listing;
  private final Database database;
  private final Totals totals;
  private final Dialect dialect;
  private final JsonRowWriter rows;
  private final ListingSql statements;
  // Bounded, because callers choose the sort.
  private final Cache<ListingSql.Order, String> orders =
      Caffeine.newBuilder().maximumSize(SORTS_KEPT).build();

  ListingStore(Listing listing, Database database, Totals totals) {
    this.listing = listing;
    this.database = database;
    this.totals = totals;
    this.dialect = database.dialect();
    this.rows = new JsonRowWriter(listing, dialect);
    this.statements = new ListingSql(listing, dialect);
  }

  /** Reports that an insert succeeded without inserting a row. */
  static final class SkippedInsertException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SkippedInsertException(String table) {
      super(
          "the database has not inserted the row into "
              + table
              + ", probably because a trigger skipped it; let that trigger raise an exception"
              + " instead");
    }
  }

  Listing listing() {
    return listing;
  }

  /**
   * The numbers of a page and its list, in one snapshot.
   *
   * @param written the number of records on the page
   * @param total the number of records in the list; empty if it was not counted
   * @param hasNext whether a record follows the page
   */
  record Extent(int written, OptionalLong total, boolean hasNext) {}

  /**
   * Writes the records of a page as elements of an array.
   *
   * @param fresh returns an empty array for each attempt of the transaction
   * @throws CountTimeout if the request wants the total, and the list cannot be counted in time
   */
  Extent page(
      CallerScope scope, Filters filters, PageRequest request, Supplier<JsonGenerator> fresh) {
    Condition inScope = scope.condition(dialect);
    Condition listed = Condition.all(List.of(inScope, filters.condition(dialect, listing.order())));
    List<Filters.Undecided> undecided = filters.undecided(dialect, listing.order());
    String count = statements.count(listed);
    Totals.CountedList list =
        new Totals.CountedList(listing.path(), scope.identity(), filters.identity());
    boolean isFirst = request.offset() == 0;
    // Without a total, one record more shows whether another page follows.
    int most = request.wantsTotals() ? request.size() : request.size() + 1;
    String select =
        statements.selectFields(listed)
            + orders.get(new ListingSql.Order(request.sort(), scope.fixed()), this::orderBy)
            + ListingSql.limit(most, isFirst);
    List<Object> parameters = new ArrayList<>(listed.parameters());
    if (!isFirst) {
      parameters.add(request.offset());
    }
    Database connections = scope.connections(database);
    try {
      return connections.readTables(
          scope.settings(),
          sql -> {
            JsonGenerator json = fresh.get();
            requireDecided(sql, inScope, undecided);
            Supplier<Written> page =
                () -> sql.sql(select).params(parameters).query(into(json, request.size()));
            LongSupplier total =
                () ->
                    totals.count(
                        list, limit -> connections.count(count, listed.parameters(), limit));
            return extent(request, page, total);
          });
    } catch (CountTimeout e) {
      totals.reportTimeout(
          listing.path(),
          () -> new SortIndexes(listing, database).countAdvice(listed, compared(scope, filters)));
      throw e;
    }
  }

  private static SortIndexes.ComparedFields compared(CallerScope scope, Filters filters) {
    List<Field> equal =
        Stream.concat(scope.compared().stream(), filters.equal().stream()).distinct().toList();
    return new SortIndexes.ComparedFields(
        equal, filters.between().stream().filter(field -> !equal.contains(field)).findFirst());
  }

  /**
   * Reads a page and counts its list, in the order that costs less.
   *
   * @param page reads the page
   * @param total counts the list
   */
  private static Extent extent(PageRequest request, Supplier<Written> page, LongSupplier total) {
    if (!request.wantsTotals()) {
      Written written = page.get();
      return new Extent(written.records(), OptionalLong.empty(), written.hasMore());
    }
    long end = request.offset() + request.size();
    if (end > READ_FIRST) {
      // Past the end of the list, the page would read all of it and find nothing.
      long counted = total.getAsLong();
      int records = request.offset() < counted ? page.get().records() : 0;
      return new Extent(records, OptionalLong.of(counted), end < counted);
    }
    int records = page.get().records();
    boolean hasEnd = records < request.size() && (records > 0 || request.offset() == 0);
    long counted = hasEnd ? request.offset() + records : total.getAsLong();
    return new Extent(records, OptionalLong.of(counted), end < counted);
  }

  /**
   * Requires that the filters can decide about every row of the scope. Without the others, a page
   * would look complete.
   *
   * @throws UnreadableValueException naming the first row about which they cannot
   */
  private void requireDecided(
      JdbcClient sql, Condition inScope, List<Filters.Undecided> undecided) {
    List<Object> parameters = new ArrayList<>();
    List<String> places = new ArrayList<>();
    for (Filters.Undecided place : undecided) {
      Condition rows = Condition.all(List.of(inScope, place.rows()));
      String columns = places.size() + ", " + statements.quoted(listing.key());
      places.add(statements.select(columns, rows));
      parameters.addAll(rows.parameters());
    }
    if (places.isEmpty()) {
      return;
    }
    // One SELECT for each place, because an index serves an OR of several only sometimes.
    sql.sql(String.join(" UNION ALL ", places) + " LIMIT 1")
        .params(parameters)
        .query(
            (row, number) ->
                new UnreadableValues.Value(
                    listing, undecided.get(row.getInt(1)).field(), rows.shownKey(row, 2)))
        .optional()
        .ifPresent(
            value -> {
              throw new UnreadableValueException(value, null);
            });
  }

  private String orderBy(ListingSql.Order by) {
    return statements.orderBy(by, listing.order());
  }

  /**
   * Writes the record with this key. Returns false if the scope has none.
   *
   * @param fresh returns an empty document for each attempt of the transaction
   */
  boolean find(CallerScope scope, Object key, Supplier<JsonGenerator> fresh) {
    Field field = listing.key();
    Condition inScope = scope.condition(dialect);
    Condition listed =
        inScope.equals(Condition.TRUE) || !listing.isProvenUnique(field)
            ? Condition.all(
                List.of(dialect.equal(field.column(), field.type(), List.of(key)), inScope))
            : dialect.byKey(
                listing.table(), new Dialect.Key(field.column(), field.type(), key), inScope);
    String select = statements.selectFields(listed);
    return scope
            .connections(database)
            .readTables(
                scope.settings(),
                sql ->
                    sql.sql(select)
                        .params(listed.parameters())
                        .query(into(fresh.get(), 1))
                        .records())
        > 0;
  }

  /**
   * Inserts a record and writes it as stored.
   *
   * @param values the values by field; an omitted field gets its column's default
   * @return the record's key as text
   * @throws DeniedException {@link Reason#SCOPE_VIOLATION} if the record is not in the scope as it
   *     was stored
   */
  String insert(
      CallerScope scope, JdbcClient sql, Map<Field, @Nullable Object> values, JsonGenerator json) {
    Condition inScope = scope.condition(dialect);
    List<@Nullable Object> bound = new ArrayList<>();
    values.values().forEach(value -> bound.add(dialect.bind(value)));
    bound.addAll(inScope.parameters());
    ResultSetExtractor<String> writeOne =
        result -> {
          rows.require(result.getMetaData());
          requireUnchanged(result.getMetaData(), values);
          if (!result.next()) {
            throw new SkippedInsertException(listing.table().name());
          }
          if (result.getInt(listing.fields().size() + 1) != 1) {
            throw scope.refuseStored();
          }
          rows.write(result, json);
          return Objects.requireNonNull(rows.key(result), "a proven key is not null");
        };
    String insert = statements.insert(values.keySet(), inScope);
    return dialect.onTables(
        sql, scope.settings(), () -> sql.sql(insert).params(bound).query(writeOne));
  }

  /**
   * Requires that the columns, as they are now, store these values unchanged. The table may have
   * been altered since the values were checked.
   */
  private void requireUnchanged(ResultSetMetaData result, Map<Field, @Nullable Object> values)
      throws SQLException {
    int column = 1;
    for (Field field : listing.fields()) {
      Object value = values.get(field);
      // A time that the service generates may be rounded; a caller has not given it.
      if (value != null && !field.isMade()) {
        Table.Column.Limits now = dialect.limits(result, column, field.column());
        boolean isAltered = !now.equals(field.column().type().limits());
        Optional<String> broken = isAltered ? field.changedBy(now, value) : Optional.empty();
        if (broken.isPresent()) {
          throw HandlerDenials.invalid(field.name() + " must " + broken.get()).asException();
        }
      }
      column++;
    }
  }

  /** The number of records that were written, and whether there are more. */
  private record Written(int records, boolean hasMore) {}

  /** Returns an extractor that writes the rows, at most this many, and counts them. */
  private ResultSetExtractor<Written> into(JsonGenerator json, int most) {
    return result -> {
      rows.require(result.getMetaData());
      int written = 0;
      while (result.next()) {
        if (written == most) {
          return new Written(written, true);
        }
        rows.write(result, json);
        written++;
      }
      return new Written(written, false);
    };
  }
}
