package dev.countersign.server.listings;

import dev.countersign.server.store.SortOrder;
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
 * @param order how text and NULL are sorted
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
    @DefaultValue("code-points") SortOrder order,
    @DefaultValue("false") boolean create,
    @Nullable Instant deprecated,
    @Nullable Instant sunset) {

  public ListingProperties {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    sortable = List.copyOf(sortable);
  }

  /** The proof that the key is unique. */
  public enum Unique {
    /** A primary key of one column, or a unique index over every row. */
    PROVEN,
    /** The operator's word, for a view or another table without such a constraint. */
    ASSUMED
  }

  /**
   * A field.
   *
   * @param column its column; null if the column has the field's name
   * @param type uuid, text, integer, decimal, boolean, timestamp, date or json
   * @param max the maximum number of code points of a text; null for 10,000
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
}
