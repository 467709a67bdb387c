package dev.countersign.server.listings;

import dev.countersign.pagination.Sort;
import dev.countersign.server.listings.Listing.SortReport;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableDialect.IndexColumns;
import dev.countersign.server.tables.TableDialect.SortPlan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Finds out which sorts and counts of a listing an index serves. The database's planner answers,
 * for the very statements that select and count the records.
 */
final class SortIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(SortIndexes.class);

  /** The number of rows from which a sort or a count of the whole table is worth a warning. */
  private static final int MANY_ROWS = 10_000;

  private final Listing listing;
  private final Database database;
  private final TableProbe table;

  SortIndexes(Listing listing, Database database) {
    this.listing = listing;
    this.database = database;
    this.table = new TableProbe(listing, database);
  }

  /** Checks each declared sort, and the order by the key. */
  List<SortReport> check() {
    Set<String> declared = new TreeSet<>(listing.pageRules().sortable());
    return database.readTables(
        sql ->
            Stream.concat(declared.stream(), Stream.of(listing.key().name()))
                .distinct()
                .map(field -> check(sql, field, declared.contains(field)))
                .toList());
  }

  /**
   * Logs one line for each sort that no index serves, and one if no index finds the records of a
   * scope. If the database cannot answer, logs this instead.
   */
  void log() {
    try {
      List<SortReport> missing = check().stream().filter(SortReport::sortsWholeTable).toList();
      if (!missing.isEmpty()) {
        boolean isLarge = isLarge();
        missing.forEach(sort -> log(sort, isLarge));
      }
    } catch (DataAccessException | StoreUnavailableException e) {
      LOG.warn(
          "could not check which sorts of {} an index serves: {}", listing.path(), firstLine(e));
      return;
    }
    // Only its own server knows the indexes of a foreign table.
    if (!listing.scope().isEmpty() && listing.table().kind() != Table.Kind.FOREIGN_TABLE) {
      logScope();
    }
  }

  private void logScope() {
    List<Table.Column> scope = table.scopeColumns();
    try {
      boolean isServed = database.<Boolean>readTables(table::isScopeServed);
      if (!isServed && isLarge()) {
        IndexColumns columns = new IndexColumns(scope, table.sortColumns(listing.key().name()));
        LOG.warn(
            "listing {}: no index begins with its scope ({}), and {} has 10,000 rows or more, so"
                + " each total reads the whole table: {}",
            listing.path(),
            names(scope),
            listing.table().name(),
            database.<String>readTables(sql -> indexAdvice(sql, columns)));
      }
    } catch (DataAccessException | StoreUnavailableException e) {
      LOG.warn(
          "could not check whether an index of {} begins with its scope: {}",
          listing.path(),
          firstLine(e));
    }
  }

  /**
   * Returns what would make a count faster, in words for the operator.
   *
   * @param counted the rows that were counted
   * @param compared the fields that their condition compares
   */
  String countAdvice(Condition counted, ComparedFields compared) {
    IndexColumns columns = compared.columns();
    List<Table.Column> all =
        Stream.concat(columns.equal().stream(), columns.sorted().stream()).distinct().toList();
    if (all.isEmpty()) {
      return listing.table().kind() == Table.Kind.VIEW
          ? underlyingTableAdvice()
          : "all of its records are counted, which no index makes faster";
    }
    try {
      return database
          .forHints()
          .readTables(
              sql ->
                  table.isFoundByIndex(sql, counted, all)
                      ? "an index finds the records that are counted, but they are too many"
                      : "no index of "
                          + listing.table().name()
                          + " begins with "
                          + names(all)
                          + ": "
                          + indexAdvice(sql, columns));
    } catch (DataAccessException | StoreUnavailableException e) {
      return "the database does not say whether an index would help: " + firstLine(e);
    }
  }

  /**
   * The fields that a condition compares with values.
   *
   * @param equal the fields that equal a value
   * @param between the field that is in a range; empty if there is none
   */
  record ComparedFields(List<Field> equal, Optional<Field> between) {
    private IndexColumns columns() {
      return new IndexColumns(
          equal.stream().map(Field::column).toList(), between.map(Field::column).stream().toList());
    }
  }

  private static String names(List<Table.Column> columns) {
    return columns.stream().map(Table.Column::name).collect(Collectors.joining(", "));
  }

  private String indexAdvice(JdbcClient sql, IndexColumns columns) {
    return TableDialect.of(database)
        .createIndex(sql, listing.table(), columns, listing.order())
        .map(statement -> "run " + statement)
        .orElseGet(this::underlyingTableAdvice);
  }

  private static String firstLine(RuntimeException failure) {
    String message = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
    return String.valueOf(message).lines().findFirst().orElse("");
  }

  private void log(SortReport sort, boolean isLarge) {
    String remedy =
        sort.statement() == null ? sort.advice() : sort.advice() + " " + sort.statement();
    if (isLarge) {
      LOG.warn(
          "listing {}: no index serves the sort by {}, and {} has 10,000 rows or more: {}",
          listing.path(),
          sort.field(),
          listing.table().name(),
          remedy);
    } else {
      LOG.info(
          "listing {}: no index serves the sort by {}: {}", listing.path(), sort.field(), remedy);
    }
  }

  private boolean isLarge() {
    try {
      return table.hasAtLeast(MANY_ROWS);
    } catch (StoreUnavailableException e) {
      // A view that takes too long to read is worth the warning.
      return true;
    }
  }

  private SortReport check(JdbcClient sql, String field, boolean isDeclared) {
    SortPlan plan = plan(sql, field, listing.order());
    Remedy remedy =
        switch (plan) {
          case INDEX -> new Remedy("", null);
          case FOREIGN ->
              new Remedy("the other server sorts; ask it whether an index serves", null);
          case SORT -> remedy(sql, field);
        };
    return new SortReport(field, isDeclared, plan, remedy.advice(), remedy.statement());
  }

  private record Remedy(String advice, @Nullable String statement) {}

  private Remedy remedy(JdbcClient sql, String field) {
    boolean isServedByDatabaseOrder =
        listing.order() != SortOrder.DATABASE
            && plan(sql, field, SortOrder.DATABASE) != SortPlan.SORT;
    Optional<String> create = createIndex(sql, field, listing.order());
    if (create.isPresent()) {
      return new Remedy(
          isServedByDatabaseOrder ? "set order: database, or run" : "run", create.get());
    }
    if (isServedByDatabaseOrder) {
      return new Remedy("set order: database", null);
    }
    return createIndex(sql, field, SortOrder.DATABASE)
        .map(statement -> new Remedy("set order: database and run", statement))
        .orElseGet(() -> new Remedy(underlyingTableAdvice(), null));
  }

  private String underlyingTableAdvice() {
    Table relation = listing.table();
    return relation.kind() == Table.Kind.FOREIGN_TABLE
        ? relation.name() + " is a foreign table: only its own server can use an index"
        : relation.name()
            + " is a "
            + relation.kind().words()
            + ": create an index on a table behind it";
  }

  /** Returns the worse of the plans for the two directions. */
  private SortPlan plan(JdbcClient sql, String field, SortOrder order) {
    return Stream.of(Sort.Order.asc(field), Sort.Order.desc(field))
        .map(by -> table.plan(sql, by, order))
        .max(SortPlan::compareTo)
        .orElseThrow();
  }

  private Optional<String> createIndex(JdbcClient sql, String field, SortOrder order) {
    IndexColumns columns = new IndexColumns(table.scopeColumns(), table.sortColumns(field));
    return TableDialect.of(database).createIndex(sql, listing.table(), columns, order);
  }
}
