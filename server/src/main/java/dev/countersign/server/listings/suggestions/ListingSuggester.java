package dev.countersign.server.listings.suggestions;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.Listing.SortReport;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.ListingException;
import dev.countersign.server.listings.ListingPath;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;

/**
 * Suggests a listing for each table. Every suggestion is checked against its table in the same way
 * as at the start of the service. No suggestion lets partners create records.
 */
public final class ListingSuggester {
  // The example table of the built-in listing, among the service's own tables.
  private static final String EXAMPLE = "wallets";
  private static final String AREA = "data";

  private final Database database;
  private final TableDialect dialect;
  private final DistinctNames paths = new DistinctNames();

  public ListingSuggester(Database database) {
    this.database = database;
    this.dialect = TableDialect.of(database);
  }

  /** Returns the names of all tables and views, without those of the service itself. */
  public List<TableName> tables() {
    return database.read(dialect::relations).stream().filter(name -> !isOwn(name)).toList();
  }

  private boolean isOwn(TableName name) {
    try {
      return describe(name).filter(table -> table.isOwn() || isExample(table)).isPresent();
    } catch (DataAccessException e) {
      return false; // suggest() says why it cannot be read
    }
  }

  // A name without a schema is looked up in the service's own schema first.
  private boolean isExample(Table table) {
    return table.name().endsWith(EXAMPLE)
        && describe(new TableName(null, EXAMPLE)).filter(table::equals).isPresent();
  }

  private Optional<Table> describe(TableName name) {
    return database.read(sql -> dialect.describe(sql, name));
  }

  private static TableName nameOf(Table table) {
    return TableName.parse(table.sql());
  }

  /**
   * Suggests a listing for a table.
   *
   * @throws ListingException if there is no such table, or if it belongs to the service itself
   */
  public Suggestion suggest(TableName wanted) {
    Table table;
    try {
      table = describe(wanted).orElseThrow(() -> unknown(wanted));
    } catch (DataAccessException e) {
      return new Suggestion.Unfit(wanted, unreadable(e));
    }
    TableName name = nameOf(table);
    if (table.isOwn()) {
      throw new ListingException(
          "the table " + name.text() + " belongs to the service itself; choose another table");
    }
    List<Table.Column> readable =
        table.columns().stream().filter(column -> isReadable(table, column)).toList();
    if (readable.isEmpty()) {
      List<String> all = table.columns().stream().map(Table.Column::name).toList();
      return all.isEmpty()
          ? new Suggestion.Unfit(name, "it has no columns")
          : new Suggestion.Unreadable(name, String.join(" ", table.missingReadGrants(all)));
    }
    return new Draft(table, name, readable).suggestion();
  }

  private static boolean isReadable(Table table, Table.Column column) {
    return table.missingReadGrants(List.of(column.name())).isEmpty();
  }

  private ListingException unknown(TableName wanted) {
    String similar =
        database.read(sql -> dialect.namesakes(sql, wanted)).stream()
            .map(TableName::text)
            .collect(Collectors.joining(" or "));
    return new ListingException(
        "there is no table "
            + wanted.text()
            + " in the "
            + database.dialect().databaseName()
            + " database; "
            + (similar.isEmpty() ? "without --table, all tables are listed" : "use " + similar));
  }

  private String unreadable(DataAccessException e) {
    return "it cannot be read: " + database.dialect().reason(e);
  }

  /** Builds the suggestion for one table. */
  private final class Draft {
    private final Table table;
    private final TableName name;
    private final String path;
    private final Map<String, FieldProperties> fields = new LinkedHashMap<>();
    private final Map<String, String> fieldOf = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final KeyCandidates keys;

    Draft(Table table, TableName name, List<Table.Column> readable) {
      this.table = table;
      this.name = name;
      this.path = path(name);
      this.keys = KeyCandidates.of(table, name, readable);
      DistinctNames names = new DistinctNames();
      for (Table.Column column : table.columns()) {
        Optional<ColumnType> type = SuggestedType.of(column);
        if (!readable.contains(column)) {
          leftOut.add(column.name() + ": the user may not read it");
        } else if (type.isEmpty()) {
          leftOut.add(column.name() + ": " + SuggestedType.reasonForNone(column));
        } else {
          add(names.give(DistinctNames.member(column.name()), ""), column, type.get());
        }
      }
    }

    private void add(String field, Table.Column column, ColumnType type) {
      fields.put(field, field(field, column, type));
      fieldOf.put(column.name(), field);
    }

    private static FieldProperties field(String field, Table.Column column, ColumnType type) {
      String word = type.word();
      return field.equals(column.name())
          ? FieldProperties.of(word)
          : new FieldProperties(column.name(), word, null, null, List.of(), null, false, null);
    }

    Suggestion suggestion() {
      String why = keys.reasonForNone();
      for (KeyCandidates.Candidate candidate : keys.inOrder()) {
        Table.Column column = candidate.column();
        String key = fieldOf.get(column.name());
        if (key == null) {
          continue;
        }
        FieldProperties plain = fields.put(key, field(key, column, candidate.type()));
        try {
          return served(key, candidate);
        } catch (ListingException e) {
          fields.put(key, Objects.requireNonNull(plain, "every column of fieldOf has a field"));
          why = String.valueOf(e.getMessage());
        } catch (DataAccessException e) {
          return new Suggestion.Unfit(name, unreadable(e));
        } catch (StoreUnavailableException e) {
          return new Suggestion.Unfit(name, "it cannot be read: " + e.getMessage());
        }
      }
      return new Suggestion.Unfit(name, why);
    }

    private Suggestion served(String key, KeyCandidates.Candidate candidate) {
      Unique unique = candidate.isProven() ? Unique.PROVEN : Unique.ASSUMED;
      Listing plain = check(definition(key, unique, List.of(), SortOrder.CODE_POINTS));
      leaveOutUnreadable(plain, key);
      String about = candidate.isProven() ? "" : keyCaveat(key, candidate, plain);
      ListingProperties definition = withSorts(key, unique);
      return new Suggestion.Served(name, definition, check(definition), about, leftOut);
    }

    private void leaveOutUnreadable(Listing listing, String key) {
      for (Listing.UnreadableField unreadable : listing.unreadableFields(database)) {
        FieldProperties field = fields.get(unreadable.field());
        if (field == null) {
          continue;
        }
        String problem =
            "no "
                + field.type()
                + " in the record with the key "
                + unreadable.key()
                + (unreadable.storedAs().isEmpty()
                    ? ""
                    : ", where it is stored as " + unreadable.storedAs());
        if (unreadable.field().equals(key)) {
          throw new ListingException(key + " cannot be the key: it is " + problem);
        }
        fields.remove(unreadable.field());
        fieldOf.values().remove(unreadable.field());
        leftOut.add(
            Objects.requireNonNullElse(field.column(), unreadable.field()) + ": " + problem);
      }
    }

    private String keyCaveat(String key, KeyCandidates.Candidate candidate, Listing listing) {
      String claim =
          table.kind().words()
              + ": no constraint proves that "
              + key
              + (isUnique(candidate.column().name())
                  ? " is unique and never NULL; "
                  : " is unique; ");
      try {
        if (listing.hasAmbiguousKey(database)) {
          throw new ListingException(
              "no column is known to be unique, and " + key + " has equal or missing values");
        }
        return claim + "now it is";
      } catch (StoreUnavailableException e) {
        return claim + "whether it is now could not be checked, because " + e.getMessage();
      }
    }

    /** Chooses the order in which the existing indexes serve the most sorts. */
    private ListingProperties withSorts(String key, Unique unique) {
      ListingProperties best = sorts(key, unique, SortOrder.CODE_POINTS);
      ListingProperties other = sorts(key, unique, SortOrder.DATABASE);
      return other.sortable().size() > best.sortable().size() ? other : best;
    }

    private ListingProperties sorts(String key, Unique unique, SortOrder order) {
      List<String> ordered = fields.keySet().stream().filter(this::hasOrder).toList();
      Set<String> served =
          check(definition(key, unique, ordered, order)).sorts(database).stream()
              .filter(SortReport::isServed)
              .map(SortReport::field)
              .collect(Collectors.toSet());
      return definition(key, unique, ordered.stream().filter(served::contains).toList(), order);
    }

    private boolean hasOrder(String field) {
      FieldProperties properties = fields.get(field);
      return properties != null
          && ColumnType.parse(properties.type()).filter(ColumnType::hasOrder).isPresent();
    }

    private boolean isUnique(String column) {
      return table.uniqueColumns().contains(column);
    }

    private Listing check(ListingProperties definition) {
      return ListingCatalog.createListing(definition, Attributes.parse(Map.of()), database);
    }

    private ListingProperties definition(
        String key, Unique unique, List<String> sortable, SortOrder order) {
      return ListingProperties.at(path)
          .table(name.text())
          .key(key)
          .unique(unique)
          .fields(fields)
          .sortable(sortable)
          .order(order)
          .build();
    }
  }

  private String path(TableName name) {
    String schema = name.schema();
    String area =
        schema == null || schema.equals("public") ? AREA : DistinctNames.segment(schema, AREA);
    String safe = ListingPath.isReserved(area) ? AREA + "-" + area : area;
    return paths.give("/" + safe + "/v1/" + DistinctNames.segment(name.table(), "table"), "-");
  }
}
