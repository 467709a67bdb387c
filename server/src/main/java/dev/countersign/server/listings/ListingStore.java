package dev.countersign.server.listings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.UnreadableValues.UnreadableValueException;
import dev.countersign.server.listings.cursors.ListCursor;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
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
  private static final int MAX_CACHED_SORTS = 256;
  // A page among the first 1,000 records is cheap to read. So it is read before the list is
  // counted, and the records before it are read with it and skipped.
  static final long NEAR_RECORDS = 1_000;
  private static final String CURSOR_RULE = "be empty, or a cursor from a Link header of this list";

  private final Listing listing;
  private final Database database;
  private final Totals totals;
  private final TableDialect dialect;
  private final JsonRowWriter rowWriter;
  private final ListingSql statements;
  // Bounded, because callers choose the sort.
  private final Cache<ListingSql.Order, String> orders =
      Caffeine.newBuilder().maximumSize(MAX_CACHED_SORTS).build();

  ListingStore(Listing listing, Database database, Totals totals) {
    this.listing = listing;
    this.database = database;
    this.totals = totals;
    this.dialect = TableDialect.of(database);
    this.rowWriter = new JsonRowWriter(listing, dialect);
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
   * A page that a caller asks for.
   *
   * @param request its place, size and order
   * @param filters the filters
   * @param binding identifies the list, for its cursors
   * @param after the record that it follows; empty at the start of the list, and for a page by
   *     number or offset
   */
  record RequestedPage(
      PageRequest request,
      Filters filters,
      ListCursor.Binding binding,
      Optional<ListCursor> after) {}

  /**
   * Returns the page that a request asks for.
   *
   * @throws PageParameterException if the cursor is not one of this list, in this order, with these
   *     filters
   */
  RequestedPage requestedPage(PageRequest asked, Filters filters) {
    PageRequest request = listing.totals().isCounted() ? asked : asked.withoutTotals();
    ListCursor.Binding binding = binding(request);
    String token = request.after();
    if (token == null || token.isEmpty()) {
      return new RequestedPage(request, filters, binding, Optional.empty());
    }
    Optional<ListCursor> after;
    try {
      after = ListCursor.parse(token, binding);
    } catch (IllegalArgumentException e) {
      throw refused(CURSOR_RULE, token);
    }
    ListCursor cursor =
        after.orElseThrow(() -> refused("be a cursor of the same list, sort and filters", token));
    return new RequestedPage(request.withElementsBefore(cursor.passed()), filters, binding, after);
  }

  private static PageParameterException refused(String rule, String token) {
    return PageParameterException.invalid("after", rule, token);
  }

  private ListCursor.Binding binding(PageRequest request) {
    List<String> parts =
        new ArrayList<>(
            List.of(database.dialect().databaseName(), listing.path(), listing.order().toString()));
    request.sort().orders().forEach(order -> parts.add(order.toString()));
    for (Field field : statements.placing(request.sort())) {
      Table.Column.Type type = field.column().type();
      parts.add(field.name() + " " + field.column().name() + " " + type.declared() + type.labels());
    }
    request.parameters().stream().map(Object::toString).sorted().forEach(parts::add);
    return ListCursor.Binding.of(parts);
  }

  /**
   * A page that was written, and its place in the list.
   *
   * @param written the number of records on the page
   * @param total the number of records in the list, in the snapshot of the page unless the listing
   *     keeps its totals; empty if it was not counted
   * @param hasNext whether a record follows the page
   * @param cursor the token of the last record on the page; empty if none follows it
   */
  record WrittenPage(int written, OptionalLong total, boolean hasNext, Optional<String> cursor) {}

  /**
   * Writes the records of a page as elements of an array.
   *
   * <p>The calls are nested in this order: {@link Totals#read} calls its last argument, which opens
   * a transaction with {@link Database#readTables}. A {@link Reading} reads the page in it. If it
   * needs the total, {@link Totals} calls {@link Database#count}, which counts the list in the same
   * transaction.
   *
   * @param newArray returns an empty array for each attempt of the transaction
   * @throws CountTimeout if the request wants the total, and the list cannot be counted in time
   * @throws PageParameterException if the cursor is malformed, or its record no longer exists
   */
  WrittenPage page(CallerScope scope, RequestedPage requested, Supplier<JsonGenerator> newArray) {
    Condition inScope = scope.condition(dialect);
    Filters filters = requested.filters();
    Condition listed = Condition.all(List.of(inScope, filters.condition(dialect, listing.order())));
    List<Filters.Undecided> undecided = filters.undecided(dialect, listing.order());
    String countSql = statements.count(listed);
    Database clientDatabase = scope.connections(database);
    try {
      return totals.read(
          scope.listKey(listing, filters),
          listing.totals(),
          clientDatabase::hasTimeAfter,
          limit -> clientDatabase.count(countSql, listed.parameters(), limit),
          totalSupplier ->
              clientDatabase.readTables(
                  scope.settings(),
                  sql -> {
                    requireDecided(sql, inScope, undecided);
                    return new Reading(sql, scope, requested, listed, newArray.get())
                        .readPage(totalSupplier);
                  }));
    } catch (CountTimeout e) {
      totals.reportTimeout(
          listing.path(),
          () ->
              new SortIndexes(listing, database)
                  .countAdvice(listed, comparedFields(scope, filters)));
      throw e;
    }
  }

  /** The reading of one page in a transaction. */
  private final class Reading {
    private final JdbcClient sql;
    private final CallerScope scope;
    private final PageRequest request;
    private final ListCursor.Binding binding;
    private final Optional<ListCursor> after;
    private final Condition listed;
    private final JsonGenerator json;
    private final ListingSql.Order order;
    private final List<Field> placing;
    private int written;
    private boolean hasMore;
    private List<@Nullable Object> lastValues = List.of();

    Reading(
        JdbcClient sql,
        CallerScope scope,
        RequestedPage requested,
        Condition listed,
        JsonGenerator json) {
      this.sql = sql;
      this.scope = scope;
      this.request = requested.request();
      this.binding = requested.binding();
      this.after = requested.after();
      this.listed = listed;
      this.json = json;
      this.order = new ListingSql.Order(request.sort(), scope.fixed());
      this.placing = statements.placing(request.sort());
    }

    /**
     * Reads the page, and asks for the total of its list if the page needs it.
     *
     * @param totalSupplier counts the list, or returns a total that is known
     */
    WrittenPage readPage(LongSupplier totalSupplier) {
      if (request.after() != null) {
        readAfter();
      } else if (!request.wantsTotals() || listing.totals().maximumAge().isPresent()) {
        readNumbered(request.size() + 1, OptionalLong.empty());
      } else {
        return readAndCount(totalSupplier);
      }
      return writtenPage(
          request.wantsTotals() ? OptionalLong.of(total(totalSupplier)) : OptionalLong.empty(),
          hasMore);
    }

    /** Reads a numbered page and counts its list, in the order that costs less. */
    private WrittenPage readAndCount(LongSupplier totalSupplier) {
      long end = request.offset() + request.size();
      if (end > NEAR_RECORDS) {
        // Past the end of the list, the page would read all of it and find nothing.
        long total = totalSupplier.getAsLong();
        if (request.offset() < total) {
          readNumbered(request.size(), OptionalLong.of(total));
        }
        return writtenPage(OptionalLong.of(total), end < total);
      }
      readNumbered(request.size(), OptionalLong.empty());
      // A full page does not show whether a record follows.
      boolean hasEnd = written < request.size() && showsEnd();
      long total = hasEnd ? request.offset() + written : totalSupplier.getAsLong();
      return writtenPage(OptionalLong.of(total), end < total);
    }

    /** Returns the total, which may be of another snapshot, corrected by what the page shows. */
    private long total(LongSupplier totalSupplier) {
      // For a page after a cursor, the offset counts the records of the earlier pages of the walk.
      // Since then, records may have been added or removed.
      boolean isOffsetExact = request.after() == null || after.isEmpty();
      if (isOffsetExact && !hasMore && showsEnd()) {
        return request.offset() + written;
      }
      long total = totalSupplier.getAsLong();
      if (request.after() != null) {
        return Math.max(total, written + (hasMore ? 1 : 0));
      }
      return hasMore
          ? Math.max(total, request.offset() + written + 1)
          : Math.min(total, request.offset());
    }

    /** Returns whether a page that nothing follows shows where the list ends. */
    private boolean showsEnd() {
      return written > 0 || request.offset() == 0;
    }

    private WrittenPage writtenPage(OptionalLong total, boolean hasNext) {
      long passed = Math.min(request.offset() + written, PageRequest.MAXIMUM_OFFSET);
      Optional<String> cursor =
          hasNext && !lastValues.isEmpty()
              ? Optional.of(new ListCursor(passed, lastValues).token(binding))
              : Optional.empty();
      return new WrittenPage(written, total, hasNext, cursor);
    }

    /**
     * Reads the page at the offset of the request.
     *
     * @param maximum the maximum number of records
     * @param total the number of records in the snapshot; empty if it is not known
     */
    private void readNumbered(int maximum, OptionalLong total) {
      if (request.offset() >= NEAR_RECORDS && canJoinByKey()) {
        readByKeys(maximum, total);
        return;
      }
      boolean isFirst = request.offset() == 0;
      List<Object> parameters = new ArrayList<>(listed.parameters());
      if (!isFirst) {
        parameters.add(request.offset());
      }
      read(
          statements.selectWithStored(placing, listed),
          ListingSql.limit(maximum, isFirst),
          parameters);
    }

    /**
     * Returns whether a comparison with the key finds exactly one record, by an index. The unique
     * index of a text column may have another collation than the column. It then distinguishes keys
     * that the column treats as equal, or it is not used. SQLite stores a UUID as text.
     */
    private boolean canJoinByKey() {
      Field key = listing.key();
      return listing.isProvenUnique(key)
          && (key.type() == ColumnType.INTEGER || key.column().type().base().equals("uuid"));
    }

    /** Finds the keys of the page, from the nearer end of the list, and reads only its records. */
    private void readByKeys(int maximum, OptionalLong total) {
      long before = request.offset();
      int size = maximum;
      ListingSql.Order keys = order;
      if (total.isPresent() && total.getAsLong() - before < before) {
        size = (int) Math.min(maximum, total.getAsLong() - before);
        before = total.getAsLong() - before - size;
        keys = order.reversed();
      }
      Condition inScope = scope.condition(dialect);
      List<Object> parameters = new ArrayList<>(listed.parameters());
      parameters.add(before);
      parameters.addAll(inScope.parameters());
      String page = orderBy(keys) + ListingSql.limit(size, false);
      read(statements.selectByKeys(placing, listed, page, inScope), "", parameters);
    }

    /** Reads the page after the cursor, and one record more. */
    private void readAfter() {
      List<Condition> groups =
          after
              .map(cursor -> statements.following(order, listing.order(), place(cursor)))
              .orElse(List.of(Condition.TRUE));
      for (Condition group : groups) {
        if (hasMore) {
          return;
        }
        Condition rows = Condition.all(List.of(listed, group));
        read(
            statements.selectWithStored(placing, rows),
            ListingSql.limit(request.size() + 1 - written, true),
            rows.parameters());
      }
    }

    private void read(String select, String limit, List<Object> parameters) {
      sql.sql(select + orderBy(order) + limit).params(parameters).query(this::write);
    }

    private int write(ResultSet row) throws SQLException {
      rowWriter.require(row.getMetaData());
      while (row.next()) {
        if (written == request.size()) {
          hasMore = true;
          return written;
        }
        rowWriter.write(row, json);
        written++;
        if (written == request.size()) {
          lastValues = place(row);
        }
      }
      return written;
    }

    /** Returns the stored values of the current record; empty if no cursor can hold one of them. */
    private List<@Nullable Object> place(ResultSet row) throws SQLException {
      try {
        return stored(row, listing.fields().size(), rowWriter.shownKey(row, keyColumn()));
      } catch (UnreadableValueException e) {
        if (request.after() == null) {
          return List.of();
        }
        throw e;
      }
    }

    private int keyColumn() {
      return listing.fields().indexOf(listing.key()) + 1;
    }

    private List<@Nullable Object> stored(ResultSet row, int columnsBefore, @Nullable String key)
        throws SQLException {
      List<@Nullable Object> values = new ArrayList<>();
      for (Field field : placing) {
        try {
          values.add(dialect.stored(row, columnsBefore + values.size() + 1));
        } catch (SQLException e) {
          throw rowWriter.unreadable(field, key, e);
        }
      }
      return values;
    }

    /** Returns the values of the cursor's record, by column. */
    private Map<String, @Nullable Object> place(ListCursor cursor) {
      List<@Nullable Object> values =
          cursor.values().size() == 1 && placing.size() > 1
              ? valuesOf(requireStorable(List.of(listing.key()), cursor.values()).getFirst())
              : requireStorable(placing, cursor.values());
      Map<String, @Nullable Object> place = new HashMap<>();
      for (int n = 0; n < placing.size(); n++) {
        place.put(placing.get(n).column().name(), values.get(n));
      }
      return place;
    }

    private List<@Nullable Object> requireStorable(
        List<Field> fields, List<@Nullable Object> values) {
      List<TableDialect.SortKey> columns =
          fields.stream().map(field -> dialect.sortKey(field.column(), listing.order())).toList();
      if (values.size() != fields.size() || !dialect.canHave(sql, columns, values)) {
        throw malformed();
      }
      return values;
    }

    private PageParameterException malformed() {
      return refused(CURSOR_RULE, token());
    }

    private String token() {
      return Objects.requireNonNull(request.after(), "the page has a cursor");
    }

    /** Reads the values of a record by its key, for a cursor that has only the key. */
    private List<@Nullable Object> valuesOf(@Nullable Object key) {
      if (key == null) {
        throw malformed();
      }
      TableDialect.SortKey column = dialect.sortKey(listing.key().column(), listing.order());
      Condition isRecord =
          new Condition(
              column.expression() + dialect.operator("=") + column.parameter(), List.of(key));
      Condition rows = Condition.all(List.of(scope.condition(dialect), isRecord));
      return sql.sql(statements.selectStored(placing, rows) + ListingSql.limit(1, true))
          .params(rows.parameters())
          .query((row, number) -> stored(row, 0, key.toString()))
          .optional()
          .orElseThrow(() -> refused("be the cursor of a record that is still there", token()));
    }
  }

  private static SortIndexes.ComparedFields comparedFields(CallerScope scope, Filters filters) {
    List<Field> equal =
        Stream.concat(scope.compared().stream(), filters.equal().stream()).distinct().toList();
    return new SortIndexes.ComparedFields(
        equal, filters.between().stream().filter(field -> !equal.contains(field)).findFirst());
  }

  /**
   * Requires that the filters can decide about every row of the scope. Otherwise, a page without
   * the undecided rows would look complete.
   *
   * @throws UnreadableValueException naming the first row about which the filters cannot decide
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
                    listing, undecided.get(row.getInt(1)).field(), rowWriter.shownKey(row, 2)))
        .optional()
        .ifPresent(
            value -> {
              throw new UnreadableValueException(value, null);
            });
  }

  private String orderBy(ListingSql.Order by) {
    return orders.get(by, order -> statements.orderBy(order, listing.order()));
  }

  /**
   * Writes the record with this key. Returns false if the scope has none.
   *
   * @param newDocument returns an empty document for each attempt of the transaction
   */
  boolean find(CallerScope scope, Object key, Supplier<JsonGenerator> newDocument) {
    Field field = listing.key();
    Condition inScope = scope.condition(dialect);
    Condition listed =
        inScope.equals(Condition.TRUE) || !listing.isProvenUnique(field)
            ? Condition.all(
                List.of(dialect.equal(field.column(), field.type(), List.of(key)), inScope))
            : dialect.byKey(
                listing.table(), new TableDialect.Key(field.column(), field.type(), key), inScope);
    String select = statements.selectFields(listed);
    return scope
        .connections(database)
        .readTables(
            scope.settings(),
            sql ->
                sql.sql(select).params(listed.parameters()).query(recordWriter(newDocument.get())));
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
          rowWriter.require(result.getMetaData());
          requireUnchanged(result.getMetaData(), values);
          if (!result.next()) {
            throw new SkippedInsertException(listing.table().name());
          }
          if (result.getInt(listing.fields().size() + 1) != 1) {
            throw scope.refuseStored();
          }
          rowWriter.write(result, json);
          return Objects.requireNonNull(rowWriter.key(result), "a proven key is not null");
        };
    String insert = statements.insert(values.keySet(), inScope);
    return database
        .dialect()
        .onTables(sql, scope.settings(), () -> sql.sql(insert).params(bound).query(writeOne));
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
      if (value != null && !field.isGenerated()) {
        Table.Column.Limits now = dialect.limits(result, column, field.column());
        boolean isAltered = !now.equals(field.column().type().limits());
        Optional<String> broken = isAltered ? field.violationUnder(now, value) : Optional.empty();
        if (broken.isPresent()) {
          throw ListingFailures.invalid(field.name() + " must " + broken.get()).asException();
        }
      }
      column++;
    }
  }

  /** Returns an extractor that writes the record, if there is one. */
  private ResultSetExtractor<Boolean> recordWriter(JsonGenerator json) {
    return result -> {
      rowWriter.require(result.getMetaData());
      boolean isFound = result.next();
      if (isFound) {
        rowWriter.write(result, json);
      }
      return isFound;
    };
  }
}
