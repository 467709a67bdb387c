package dev.countersign.server.listings;

import dev.countersign.pagination.PageRules;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.listings.Listing.RowSecurity;
import dev.countersign.server.listings.Listing.SortReport;
import dev.countersign.server.listings.ListingProperties.RowLevelSecurity;
import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.store.Database;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect.SortPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** A listing whose definition fits its table. Only {@link ListingCatalog} creates listings. */
public final class Listing {
  private final ListingPath path;
  private final Table table;
  private final List<Field> fields;
  private final Field key;
  private final PageRules pageRules;
  private final FilterParser filters;
  private final Attributes attributes;
  private final SortOrder order;
  private final boolean creatable;
  private final DeprecationHeaders deprecationHeaders;
  private final ListingProperties definition;

  /**
   * Creates a listing whose definition was checked.
   *
   * @param source the table, dialect and attributes that the definition was checked against
   */
  Listing(
      ListingPath path,
      ListingCheck.Source source,
      List<Field> fields,
      ListingProperties properties) {
    this.path = path;
    this.table = source.table();
    this.attributes = source.attributes();
    this.fields = List.copyOf(fields);
    this.key = field(properties.key());
    this.filters = new FilterParser(properties.filterable().stream().map(this::field).toList());
    this.pageRules =
        PageRules.defaults()
            .withSortable(properties.sortable())
            .withParameters(filters.names())
            .withCursors();
    this.order = properties.order();
    this.creatable = properties.create();
    this.definition = properties;
    this.deprecationHeaders = new DeprecationHeaders(properties.deprecated(), properties.sunset());
  }

  /** Returns the collection's path, such as {@code /ledger/v1/wallets}. */
  public String path() {
    return path.toString();
  }

  /**
   * Returns the permission to list records and to read one, such as {@code ledger:wallets:read}.
   */
  public Permission readPermission() {
    return path.readPermission();
  }

  /** Returns the permission to create a record, even if the listing does not allow creation. */
  public Permission createPermission() {
    return path.permission("create");
  }

  /** Returns whether records may be created. */
  public boolean isCreatable() {
    return creatable;
  }

  /** Returns the table behind the listing, as the operator names it. */
  public String tableName() {
    return table.name();
  }

  /** Returns since when this version is deprecated; null if it is not. */
  public @Nullable Instant deprecated() {
    return deprecationHeaders.deprecated();
  }

  /** Returns when this version will be removed; null if that is not planned. */
  public @Nullable Instant sunset() {
    return deprecationHeaders.sunset();
  }

  /** Returns an example of the filters in a query; an empty text if no field is filterable. */
  public String exampleFilters() {
    return filters.example();
  }

  /** The effect of the database's row-level security on the records that clients see. */
  public enum RowSecurity {
    /** No policy applies to the service. */
    NONE,
    /** Policies apply, but the service also starts without them. */
    APPLIES,
    /** Policies apply, and the service does not start without them. */
    REQUIRED
  }

  /** Returns the effect of the database's row-level security on the records that clients see. */
  public RowSecurity rowSecurity() {
    if (!table.hasRowSecurity()) {
      return RowSecurity.NONE;
    }
    return definition.rowLevelSecurity() == RowLevelSecurity.REQUIRED
        ? RowSecurity.REQUIRED
        : RowSecurity.APPLIES;
  }

  /** Returns the members of a record, in the order of the answer. */
  public List<Field> fields() {
    return fields;
  }

  /** Returns whether a constraint of the database keeps a field unique and not null. */
  boolean isProvenUnique(Field field) {
    return table.uniqueColumns().contains(field.column().name()) && !field.column().nullable();
  }

  /** Returns the member that identifies a record in its URL. */
  public Field key() {
    return key;
  }

  /** Returns the rules for page parameters. */
  public PageRules pageRules() {
    return pageRules;
  }

  /** Returns whether the pages have totals, and how old these may be. */
  public TotalsMode totals() {
    return definition.totals();
  }

  /** Returns the current number of rows in the table. */
  public long count(Database database) {
    return new TableProbe(this, database).total();
  }

  /**
   * The records that have one of the wanted values in a field.
   *
   * @param total the number of all rows in the table
   * @param values the value in each of the records, as text
   */
  public record Sample(long total, List<String> values) {
    public Sample {
      values = List.copyOf(values);
    }
  }

  /**
   * Looks for records that have one of these values in a field. Returns empty, without reading the
   * whole table, if it has more rows than the maximum.
   */
  public Optional<Sample> sample(
      Database database, String field, List<Object> wanted, int maximum) {
    return new TableProbe(this, database).sample(field(field), wanted, maximum);
  }

  /**
   * A field that cannot show all values of its column.
   *
   * @param field the name of the field
   * @param key the key of a record whose value it cannot show, in quotes, or {@code null}
   * @param storedAs the storage class of the value; empty if the database has none
   */
  public record UnreadableField(String field, String key, String storedAs) {}

  /**
   * Checks the values of up to 1,000 rows for at most a second, and returns the fields that cannot
   * show all of them. Empty if the rows cannot be read within that time.
   */
  public List<UnreadableField> unreadableFields(Database database) {
    Optional<TableProbe.FirstRows> first;
    try {
      first = new TableProbe(this, database).firstRows();
    } catch (DataAccessException unknown) {
      return List.of();
    }
    return first.stream()
        .flatMap(rows -> rows.unreadable().stream())
        .map(
            found ->
                new UnreadableField(
                    found.place().field().name(), found.place().shownKey(), found.storedAs()))
        .toList();
  }

  /**
   * Returns whether two rows have the same key, or a row has none.
   *
   * @throws dev.countersign.server.store.StoreUnavailableException if this takes too long to find
   *     out
   */
  public boolean hasAmbiguousKey(Database database) {
    return new TableProbe(this, database).hasAmbiguousKey();
  }

  /**
   * A sort of a listing by one field, and whether an index serves it in both directions.
   *
   * @param field the field
   * @param isDeclared whether a request may name the field; if not, the field is the key, which
   *     orders the answers to requests without a sort
   * @param plan how the database puts the records in this order
   * @param advice what the operator can do so that an index serves the sort, such as {@code run}
   *     before the statement; empty if an index serves it
   * @param statement the statement that the operator can run; null if there is none
   */
  public record SortReport(
      String field, boolean isDeclared, SortPlan plan, String advice, @Nullable String statement) {

    /** Returns whether an index serves the sort. */
    public boolean isServed() {
      return plan == SortPlan.INDEX;
    }

    /** Returns whether the database sorts the whole table for each page. */
    public boolean sortsWholeTable() {
      return plan == SortPlan.SORT;
    }
  }

  /**
   * Asks the database which sorts an index serves: those that the listing declares, and the order
   * by the key, which a request without a sort gets.
   */
  public List<SortReport> sorts(Database database) {
    return new SortIndexes(this, database).check();
  }

  /**
   * Returns the attribute of the client that each of these fields must equal in the records that
   * the client sees; empty if every client sees all records.
   */
  public Map<String, String> scope() {
    return definition.scope();
  }

  /** Returns the fields that requests may filter by. */
  public List<FilterableField> filterable() {
    return definition.filterable().stream()
        .map(this::field)
        .map(
            field ->
                new FilterableField(
                    field,
                    FilterParser.isCommaSeparated(field),
                    filters.rangeNames().stream()
                        .filter(name -> name.startsWith(field.name() + "."))
                        .toList()))
        .toList();
  }

  /**
   * A field that requests may filter by.
   *
   * @param isCommaSeparated whether a comma separates values
   * @param ranges the names of the parameters that set a range
   */
  public record FilterableField(Field field, boolean isCommaSeparated, List<String> ranges) {
    /** The maximum number of values in one filter. */
    public static final int MAXIMUM_VALUES = FilterParser.MAXIMUM_VALUES;

    public FilterableField {
      ranges = List.copyOf(ranges);
    }
  }

  /** Returns the labels of each enumeration, by field. */
  Map<String, List<String>> labels() {
    return fields.stream()
        .filter(field -> field.column().type().isEnum())
        .collect(Collectors.toMap(Field::name, field -> field.column().type().labels()));
  }

  /** Returns the fields of the scope. */
  List<Field> scopeFields() {
    return scope().keySet().stream().map(this::field).toList();
  }

  FilterParser filters() {
    return filters;
  }

  /** Returns the attributes that the definition was checked against. */
  Attributes attributes() {
    return attributes;
  }

  SortOrder order() {
    return order;
  }

  ListingProperties definition() {
    return definition;
  }

  Table table() {
    return table;
  }

  DeprecationHeaders deprecationHeaders() {
    return deprecationHeaders;
  }

  /**
   * Returns a member of a record.
   *
   * @throws IllegalArgumentException if there is no such member
   */
  public Field field(String name) {
    return fields.stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no field " + name));
  }
}
