package dev.countersign.server.listings;

import dev.countersign.server.listings.Listing.FilterMember;
import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.store.Dialect.SortPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A description of a listing for the operator.
 *
 * @param path the collection's path
 * @param table the table behind it
 * @param fields the members of a record, in the order in which a response has them
 * @param scope the rules that a record must satisfy for a client to see it; empty if every client
 *     sees all records
 * @param rowSecurity whether row-level security of the database also decides about records
 * @param sortable the properties that {@code sort} accepts
 * @param totals whether the pages have totals, and how old these may be
 * @param filters the fields that requests may filter by
 * @param exampleFilters filters as a request may write them; empty without filterable fields
 * @param readPermission the permission to list records and to read one
 * @param createPermission the permission to create a record; null if records cannot be created
 * @param deprecated since when the version is deprecated; null if it is not
 * @param sunset when the version will be removed; null if that is not planned
 */
public record ListingDescription(
    String path,
    String table,
    List<FieldDescription> fields,
    List<ScopeRule> scope,
    RowSecurity rowSecurity,
    List<String> sortable,
    TotalsMode totals,
    List<FilterMember> filters,
    String exampleFilters,
    String readPermission,
    @Nullable String createPermission,
    @Nullable Instant deprecated,
    @Nullable Instant sunset) {

  public ListingDescription {
    fields = List.copyOf(fields);
    scope = List.copyOf(scope);
    sortable = List.copyOf(sortable);
    filters = List.copyOf(filters);
  }

  /**
   * A rule of the scope: the field has a value of the client's attribute.
   *
   * @param field the member of a record
   * @param attribute the attribute of the client
   */
  public record ScopeRule(String field, String attribute) {}

  /** The part of the database's row-level security in what clients see. */
  public enum RowSecurity {
    /** No policy applies to the service. */
    NONE,
    /** Policies apply, but the service also starts without them. */
    APPLIES,
    /** Policies apply, and the service does not start without them. */
    REQUIRED
  }

  /**
   * A member of a record.
   *
   * @param name the member's name
   * @param type the name of its type in the configuration
   * @param column the column behind it
   * @param isKey whether this member identifies the record in its URL
   * @param origin the source of a new record's value
   * @param rules the rules for a value besides its type
   */
  public record FieldDescription(
      String name, String type, String column, boolean isKey, String origin, List<String> rules) {

    public FieldDescription {
      rules = List.copyOf(rules);
    }

    /**
     * Describes a field.
     *
     * @param attribute the client's attribute that the field must equal; null for none
     */
    static FieldDescription of(Field field, Field key, @Nullable String attribute) {
      return new FieldDescription(
          field.name(),
          field.type().word(),
          field.column().name(),
          field.equals(key),
          attribute == null ? origin(field) : "caller, or the client's only value",
          rules(field, attribute));
    }

    private static String origin(Field field) {
      return switch (field.origin()) {
        case CALLER_MUST -> "caller, required";
        case CALLER -> "caller";
        case SERVER -> "service";
        case DATABASE -> "database";
      };
    }

    private static List<String> rules(Field field, @Nullable String attribute) {
      TextRules text = field.rules();
      List<String> rules = new ArrayList<>();
      if (attribute != null) {
        rules.add("a value of the client's attribute " + attribute);
      }
      if (text.max() != TextRules.DEFAULT_MAX) {
        rules.add("at most " + text.max() + " characters");
      }
      if (text.pattern() != null) {
        rules.add("matches " + text.pattern());
      }
      if (!text.oneOf().isEmpty()) {
        rules.add("one of " + String.join(", ", text.oneOf()));
      }
      if (field.fallback() != null) {
        rules.add("default " + field.fallback());
      }
      return rules;
    }
  }

  /**
   * A sort of a listing by one field, and whether an index serves it in both directions.
   *
   * @param field the field
   * @param isDeclared whether a request may name the field; if not, the field is the key, which
   *     orders the answers to requests without a sort
   * @param plan how the database puts the records in this order
   * @param advice what would let an index serve the sort, in words that the statement completes;
   *     empty if one does
   * @param statement the statement to run for this; null if there is none
   */
  public record ServedSort(
      String field, boolean isDeclared, SortPlan plan, String advice, @Nullable String statement) {

    /** Returns whether an index serves the sort. */
    public boolean isServed() {
      return plan == SortPlan.INDEX;
    }

    /** Returns whether the database sorts the whole table for each page. */
    public boolean needsIndex() {
      return plan == SortPlan.SORT;
    }
  }
}
