package dev.countersign.server.listings;

import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.tables.SortOrder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * A listing in the configuration, under {@code countersign.listings}.
 *
 * @param path {@code /area/version/collection}
 * @param table the table behind it
 * @param key the field that identifies a record in its URL
 * @param unique whether a constraint of the database must prove that the key is unique
 * @param fields the members of a record by name, in the order of the answer
 * @param sortable the fields that {@code sort} accepts
 * @param filterable the fields that requests may filter by
 * @param scope for each field that limits which records a client sees, the attribute of the client
 *     that it must equal; null if every client sees all records
 * @param rowLevelSecurity whether policies of PostgreSQL must apply to the table
 * @param order how text and NULL are sorted
 * @param totals whether the pages have the total number of records, and how old it may be
 * @param create whether partners may POST new records
 * @param deprecated when this version became, or becomes, deprecated (RFC 9745)
 * @param sunset when this version will be removed (RFC 8594)
 */
public record ListingProperties(
    @DefaultValue("") String path,
    @DefaultValue("") String table,
    @DefaultValue("") String key,
    @DefaultValue("proven") Unique unique,
    @DefaultValue Map<String, FieldProperties> fields,
    @DefaultValue List<String> sortable,
    @DefaultValue List<String> filterable,
    @Nullable Map<String, String> scope,
    @DefaultValue("optional") RowLevelSecurity rowLevelSecurity,
    @DefaultValue("code-points") SortOrder order,
    @DefaultValue("exact") TotalsMode totals,
    @DefaultValue("false") boolean create,
    @Nullable Instant deprecated,
    @Nullable Instant sunset) {

  public ListingProperties {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    sortable = List.copyOf(sortable);
    filterable = List.copyOf(filterable);
    if (scope != null) {
      // A key without a value binds as an empty map, and must not show everything to everybody.
      if (scope.isEmpty()) {
        throw new IllegalArgumentException(
            "listing "
                + path
                + ": scope must name at least one field, was empty; remove it to show all records"
                + " to every client");
      }
      scope = Collections.unmodifiableMap(new LinkedHashMap<>(scope));
    }
  }

  /** Returns the attribute of the client that each field of the scope must equal; may be empty. */
  @Override
  public Map<String, String> scope() {
    return scope == null ? Map.of() : scope;
  }

  /** Returns a builder of a definition with the documented defaults. */
  public static Builder at(String path) {
    return new Builder(path);
  }

  /** Returns a builder that starts with this definition. */
  public Builder toBuilder() {
    return new Builder(path)
        .table(table)
        .key(key)
        .unique(unique)
        .fields(fields)
        .sortable(sortable)
        .filterable(filterable)
        .scope(scope())
        .rowLevelSecurity(rowLevelSecurity)
        .order(order)
        .totals(totals)
        .create(create)
        .deprecated(deprecated)
        .sunset(sunset);
  }

  /** The proof that the key is unique. */
  public enum Unique {
    /** A primary key of one column, or a unique index over every row. */
    PROVEN,
    /** The operator's word, for a view or another table without such a constraint. */
    ASSUMED
  }

  /** The demand for policies of PostgreSQL on the table. */
  public enum RowLevelSecurity {
    /** Policies may apply. */
    OPTIONAL,
    /** The service does not start unless policies apply to its user. */
    REQUIRED
  }

  /**
   * A field.
   *
   * @param column its column; null if the column has the field's name
   * @param type uuid, text, integer, decimal, boolean, timestamp, date or json
   * @param max the maximum number of code points of a text; null for 10,000, or for the length of
   *     the column if it is shorter
   * @param pattern a regular expression that the whole text matches
   * @param oneOf the allowed texts; empty for any
   * @param defaultValue the value of a new record if the caller omits the field
   * @param generated whether the value is generated, by the server or the database, and callers
   *     cannot give one
   * @param required whether the caller must give a value; null to let the column decide
   */
  public record FieldProperties(
      @Nullable String column,
      @DefaultValue("") String type,
      @Nullable Integer max,
      @Nullable String pattern,
      @DefaultValue List<String> oneOf,
      @Name("default") @Nullable String defaultValue,
      @DefaultValue("false") boolean generated,
      @Nullable Boolean required) {

    public FieldProperties {
      oneOf = List.copyOf(oneOf);
    }

    /** Returns a field of this type whose column has the field's name. */
    public static FieldProperties of(String type) {
      return new FieldProperties(null, type, null, null, List.of(), null, false, null);
    }
  }

  /** Builds a definition. Options that are not set keep the documented defaults. */
  public static final class Builder {
    private final String path;
    private String table = "";
    private String key = "";
    private Unique unique = Unique.PROVEN;
    private Map<String, FieldProperties> fields = Map.of();
    private List<String> sortable = List.of();
    private List<String> filterable = List.of();
    private @Nullable Map<String, String> scope;
    private RowLevelSecurity rowLevelSecurity = RowLevelSecurity.OPTIONAL;
    private SortOrder order = SortOrder.CODE_POINTS;
    private TotalsMode totals = TotalsMode.EXACT;
    private boolean create;
    private @Nullable Instant deprecated;
    private @Nullable Instant sunset;

    private Builder(String path) {
      this.path = path;
    }

    public Builder table(String name) {
      this.table = name;
      return this;
    }

    public Builder key(String field) {
      this.key = field;
      return this;
    }

    public Builder unique(Unique proof) {
      this.unique = proof;
      return this;
    }

    public Builder fields(Map<String, FieldProperties> members) {
      this.fields = members;
      return this;
    }

    public Builder sortable(List<String> names) {
      this.sortable = names;
      return this;
    }

    public Builder filterable(List<String> names) {
      this.filterable = names;
      return this;
    }

    public Builder scope(Map<String, String> attributes) {
      this.scope = attributes.isEmpty() ? null : attributes;
      return this;
    }

    public Builder rowLevelSecurity(RowLevelSecurity demand) {
      this.rowLevelSecurity = demand;
      return this;
    }

    public Builder order(SortOrder sortOrder) {
      this.order = sortOrder;
      return this;
    }

    public Builder totals(TotalsMode mode) {
      this.totals = mode;
      return this;
    }

    public Builder create(boolean allowed) {
      this.create = allowed;
      return this;
    }

    public Builder deprecated(@Nullable Instant since) {
      this.deprecated = since;
      return this;
    }

    public Builder sunset(@Nullable Instant at) {
      this.sunset = at;
      return this;
    }

    public ListingProperties build() {
      return new ListingProperties(
          path,
          table,
          key,
          unique,
          fields,
          sortable,
          filterable,
          scope,
          rowLevelSecurity,
          order,
          totals,
          create,
          deprecated,
          sunset);
    }
  }
}
