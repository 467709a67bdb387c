package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.listings.ListingProperties.RowLevelSecurity;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The listings of the configuration, each checked against its table. */
public final class ListingCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(ListingCatalog.class);

  // A listing is replaced when the labels of an enumeration have changed.
  private volatile List<Listing> all;
  private final UnreadableValues unreadableValues = new UnreadableValues();

  private ListingCatalog(List<Listing> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Creates a catalog after checking each definition against its table.
   *
   * @param attributes the attributes that clients may have
   * @throws ListingException for the first definition that does not fit its table
   */
  public static ListingCatalog create(
      List<ListingProperties> definitions, Attributes attributes, Database database) {
    Set<ListingPath> seen = new HashSet<>();
    List<Listing> all = new ArrayList<>();
    for (ListingProperties definition : definitions) {
      ListingPath path = ListingPath.parse(definition.path());
      if (!seen.add(path)) {
        throw new ListingException(
            "listing " + path + " is defined twice: remove one of the definitions");
      }
      Listing listing = createListing(definition, attributes, database);
      TableName name = tableName(path, definition.table());
      if (name.schema() == null && !listing.table().name().equals(name.table())) {
        logResolvedTable(listing, namesakes(name, database));
      }
      probeTable(listing, database);
      all.add(listing);
    }
    ListingCatalog catalog = new ListingCatalog(all);
    all.forEach(catalog::warnOfNarrowerListings);
    all.forEach(listing -> catalog.warnOfReferences(listing, database));
    all.forEach(listing -> catalog.warnOfValues(listing, database));
    return catalog;
  }

  /**
   * Creates a listing after checking its definition against the table. Does not check whether the
   * values of a key that the operator assumes to be unique are unique.
   *
   * @throws ListingException if the definition does not fit its table
   */
  public static Listing createListing(
      ListingProperties definition, Attributes attributes, Database database) {
    ListingPath path = ListingPath.parse(definition.path());
    Table table = table(path, definition, database);
    return new ListingCheck(path, definition, source(table, attributes, database)).listing();
  }

  /**
   * Returns the scopes of the definitions that have one, without checking them against the tables.
   * Leaves out a definition with a malformed path, which prevents the start of the service, but not
   * commands about clients.
   */
  public static List<ClientReach.ScopedListing> scopes(List<ListingProperties> definitions) {
    return definitions.stream()
        .filter(definition -> !definition.scope().isEmpty())
        .flatMap(definition -> scope(definition).stream())
        .toList();
  }

  private static Optional<ClientReach.ScopedListing> scope(ListingProperties definition) {
    try {
      ListingPath path = ListingPath.parse(definition.path());
      return Optional.of(
          new ClientReach.ScopedListing(
              path.toString(), path.readPermission(), Set.copyOf(definition.scope().values())));
    } catch (ListingException malformed) {
      return Optional.empty();
    }
  }

  private static void logResolvedTable(Listing listing, List<TableName> namesakes) {
    String found = listing.table().name();
    LOG.info("listing {} serves {}, found by the search path", listing.path(), found);
    List<String> others =
        namesakes.stream().map(TableName::text).filter(name -> !name.equals(found)).toList();
    if (!others.isEmpty()) {
      LOG.warn(
          "listing {} serves {}; to serve {} instead, write its name with its schema",
          listing.path(),
          found,
          String.join(" or ", others));
    }
  }

  /** Returns the listings in the order of the configuration. */
  public List<Listing> all() {
    return all;
  }

  /** Returns the unreadable values that this node has found. */
  public UnreadableValues unreadableValues() {
    return unreadableValues;
  }

  /**
   * Returns the listings over the same table that have a narrower scope, and so hide records that
   * this listing shows. Does not find listings over views or partitions of the table. The result is
   * empty if this listing requires row-level security, which then decides what it shows.
   */
  public List<NarrowerListing> narrowerThan(Listing listing) {
    if (listing.definition().rowLevelSecurity() == RowLevelSecurity.REQUIRED) {
      return List.of();
    }
    Map<String, String> widerScope = scopeByColumn(listing);
    return all.stream()
        .filter(other -> other.table().isSameAs(listing.table()))
        .flatMap(other -> narrower(other, widerScope).stream())
        .toList();
  }

  private static Optional<NarrowerListing> narrower(
      Listing listing, Map<String, String> widerScope) {
    Map<String, String> scope = scopeByColumn(listing);
    if (scope.size() == widerScope.size() || !scope.entrySet().containsAll(widerScope.entrySet())) {
      return Optional.empty();
    }
    scope.keySet().removeAll(widerScope.keySet());
    return Optional.of(
        new NarrowerListing(listing.path(), scope.values().stream().distinct().sorted().toList()));
  }

  // Two listings may give a column different names.
  private static Map<String, String> scopeByColumn(Listing listing) {
    Map<String, String> scope = new HashMap<>();
    listing
        .scope()
        .forEach((field, attribute) -> scope.put(listing.field(field).column().name(), attribute));
    return scope;
  }

  /**
   * A listing that hides records which another listing over the same table shows.
   *
   * @param path the path of the listing that hides them
   * @param attributes the attributes that only this listing compares with its records
   */
  public record NarrowerListing(String path, List<String> attributes) {
    public NarrowerListing {
      attributes = List.copyOf(attributes);
    }
  }

  private void warnOfNarrowerListings(Listing listing) {
    for (NarrowerListing narrower : narrowerThan(listing)) {
      LOG.warn(
          "listing {} shows records of {} that listing {} hides, because only the latter compares"
              + " them with the attribute {}: give both listings the same scope, or make sure that"
              + " only clients that may see all of these records have a role for {} (views and"
              + " partitions of the table are not compared)",
          listing.path(),
          listing.table().name(),
          narrower.path(),
          String.join(", ", narrower.attributes()),
          listing.path());
    }
  }

  /** Returns the permissions to read and create records of all listings. */
  public Set<Permission> permissions() {
    Set<Permission> permissions = new LinkedHashSet<>();
    for (Listing listing : all) {
      permissions.add(listing.readPermission());
      permissions.add(listing.createPermission());
    }
    return permissions;
  }

  /** Logs one line for each sort and each scope that no index serves, with the statement to run. */
  public void logMissingIndexes(Database database) {
    all.forEach(listing -> new SortIndexes(listing, database).log());
  }

  /**
   * Returns why a listing no longer fits its table; empty if it fits, or if the database cannot
   * answer.
   */
  static Optional<String> tableProblem(Listing listing, Database database) {
    try {
      Table currentTable =
          createListing(listing.definition(), listing.attributes(), database).table();
      new TableProbe(listing, database).requireReadable();
      return listing.fields().stream()
          .map(Field::column)
          .flatMap(column -> typeChange(column, currentTable, TableDialect.of(database)).stream())
          .findFirst()
          .map(problem -> "listing " + listing.path() + ": " + problem);
    } catch (ListingException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (DataAccessException e) {
      String reason = database.dialect().reason(e);
      return Optional.of(
          String.valueOf(unreadable(listing.path(), listing.table().name(), reason).getMessage()));
    } catch (StoreUnavailableException e) {
      return Optional.empty();
    }
  }

  /**
   * Replaces a listing if the labels of its enumerations have changed. Returns the listing with the
   * new labels; empty if they are the same, if the listing no longer fits its table, or if the
   * database cannot answer.
   */
  Optional<Listing> relabel(Listing listing, Database database) {
    Listing now;
    try {
      now = createListing(listing.definition(), listing.attributes(), database);
    } catch (ListingException | StoreUnavailableException | DataAccessException unknown) {
      return Optional.empty();
    }
    if (listing.labels().equals(now.labels())) {
      return Optional.empty();
    }
    replace(now);
    LOG.info("listing {}: the labels of its enumerations are now {}", now.path(), now.labels());
    return Optional.of(now);
  }

  private synchronized void replace(Listing listing) {
    all = all.stream().map(old -> old.path().equals(listing.path()) ? listing : old).toList();
  }

  private static Optional<String> typeChange(
      Table.Column before, Table currentTable, TableDialect dialect) {
    return currentTable
        .column(before.name())
        .filter(column -> !dialect.isReadAlike(before.type(), column.type()))
        .map(
            column ->
                "the type of column "
                    + before.name()
                    + " was "
                    + before.type().declared()
                    + " and is now "
                    + column.type().declared()
                    + ": restart the service");
  }

  private static ListingCheck.Source source(Table table, Attributes attributes, Database database) {
    return new ListingCheck.Source(table, TableDialect.of(database), attributes);
  }

  /**
   * Reads the table once, so that a table that cannot be read prevents the start. Logs warnings
   * about the key, the unique indexes and the row-level security of the table.
   */
  private static void probeTable(Listing listing, Database database) {
    String table = listing.table().name();
    try {
      new TableProbe(listing, database).requireReadable();
      if (!listing.isProvenUnique(listing.key())) {
        warnOfKey(listing, database);
      }
      if (listing.isCreatable() && !listing.scope().isEmpty()) {
        warnOfUniqueness(listing, database);
      }
    } catch (DataAccessException e) {
      throw unreadable(listing.path(), table, database.dialect().reason(e));
    } catch (StoreUnavailableException e) {
      LOG.warn(
          "listing {}: {} could not be checked at the start, because {}: {}",
          listing.path(),
          table,
          e.getMessage(),
          database.dialect().reason(e));
    }
    if (listing.table().hasRowSecurity()
        && listing.definition().rowLevelSecurity() == RowLevelSecurity.OPTIONAL) {
      LOG.warn(
          "listing {}: row-level security applies to {}, so the listing has only the rows that the"
              + " policies let the service's user see",
          listing.path(),
          table);
    }
  }

  /**
   * Warns of unique indexes by which records of different clients can be in conflict. If a new
   * record violates such an index, its client learns that another client has these values.
   */
  private static void warnOfUniqueness(Listing listing, Database database) {
    List<String> scope = scopeColumns(listing);
    List<TableDialect.UniqueIndex> indexes =
        database.read(sql -> TableDialect.of(database).uniqueIndexes(sql, listing.table()));
    for (TableDialect.UniqueIndex index : indexes) {
      // Records with a fresh value in the index are never in conflict.
      boolean canConflict = index.parts().stream().noneMatch(part -> isAlwaysFresh(listing, part));
      if (canConflict && !scope.stream().allMatch(index::comparesBytesOf)) {
        LOG.warn(
            scope.stream().allMatch(index::contains)
                ? "listing {}: {} does not compare its columns byte for byte, so a client that"
                    + " creates records can find out which values of {} others have; recreate the"
                    + " index so that it distinguishes all values of {}"
                : "listing {}: {} is unique over the records of all clients, so a client that"
                    + " creates records can find out which values of {} others have; make it begin"
                    + " with {}, or let the value be generated",
            listing.path(),
            index.name(),
            index.parts().stream()
                .map(part -> part.column().isEmpty() ? "an expression" : part.column())
                .collect(Collectors.joining(", ")),
            String.join(", ", scope));
      }
    }
  }

  /**
   * Warns of foreign keys by which a new record can refer to a record of another client. The client
   * then learns whether that record exists, because the database refuses the new record if not.
   */
  private void warnOfReferences(Listing listing, Database database) {
    List<String> scope = scopeColumns(listing);
    if (!listing.isCreatable() || scope.isEmpty()) {
      return;
    }
    TableDialect dialect = TableDialect.of(database);
    for (TableDialect.ForeignKey key :
        database.read(sql -> dialect.foreignKeys(sql, listing.table()))) {
      if (!key.columns().containsAll(scope)
          && canClientChoose(listing, key, scope)
          && database
              .read(sql -> dialect.describe(sql, key.target()))
              .filter(target -> hasRecordsOfClients(target, scope))
              .isPresent()) {
        LOG.warn(
            "listing {}: the foreign key of {} does not contain the scope, so a client that creates"
                + " records can find out which records of {} others have; make the foreign key"
                + " begin with {}",
            listing.path(),
            String.join(", ", key.columns()),
            key.target().table(),
            String.join(", ", scope));
      }
    }
  }

  private static List<String> scopeColumns(Listing listing) {
    return listing.scopeFields().stream().map(field -> field.column().name()).sorted().toList();
  }

  /**
   * Returns whether a client chooses the value of a column of the foreign key that does not belong
   * to the scope.
   */
  private static boolean canClientChoose(
      Listing listing, TableDialect.ForeignKey key, List<String> scope) {
    return listing.fields().stream()
        .filter(field -> key.columns().contains(field.column().name()))
        .anyMatch(field -> !field.isGenerated() && !scope.contains(field.column().name()));
  }

  /**
   * Returns whether a table seems to have records of several clients: it has columns with the names
   * of all scope columns, or a listing serves it with a scope.
   */
  private boolean hasRecordsOfClients(Table table, List<String> scope) {
    // SQLite ignores the case of names.
    return scope.stream()
            .allMatch(
                column ->
                    table.columns().stream()
                        .anyMatch(other -> other.name().equalsIgnoreCase(column)))
        || all.stream()
            .anyMatch(other -> other.table().isSameAs(table) && !other.scope().isEmpty());
  }

  /**
   * Returns whether every new record gets a value that no client chooses and no other record has.
   */
  private static boolean isAlwaysFresh(Listing listing, TableDialect.UniqueIndex.Part part) {
    return listing.fields().stream()
        .filter(field -> field.column().name().equals(part.column()))
        .findFirst()
        .map(
            field ->
                field.origin() == Field.Origin.SERVER
                    || (field.isGenerated() && part.hasFreshDefault()))
        .orElse(!part.column().isEmpty() && part.hasFreshDefault());
  }

  private void warnOfValues(Listing listing, Database database) {
    Optional<TableProbe.FirstRows> first;
    String reason =
        "it takes longer than a second to read the first rows by the key " + listing.key().name();
    try {
      first = new TableProbe(listing, database).firstRows();
    } catch (DataAccessException e) {
      first = Optional.empty();
      reason = database.dialect().reason(e);
    }
    if (first.isEmpty()) {
      LOG.info(
          "listing {}: the values of {} are not checked at the start: {}",
          listing.path(),
          listing.table().name(),
          reason);
      return;
    }
    first.get().unreadable().forEach(unreadableValues::warn);
    first.get().forms().forEach((field, forms) -> warnOfForms(listing, field, forms));
  }

  /**
   * Warns of timestamps in several forms. SQLite stores and sorts timestamps as texts, and only
   * texts of one form sort by time.
   */
  private static void warnOfForms(Listing listing, Field field, Set<String> forms) {
    boolean isOrdered =
        listing.definition().sortable().contains(field.name())
            || listing.definition().filterable().contains(field.name());
    if (isOrdered && forms.size() > 1) {
      LOG.warn(
          "listing {}: the field {} has timestamps in several forms ({}), which SQLite sorts as"
              + " texts and not by time: store them in one form",
          listing.path(),
          field.name(),
          forms.stream().limit(5).collect(Collectors.joining(", ")));
    }
  }

  private static ListingException unreadable(String path, String table, String reason) {
    return new ListingException("listing " + path + ": " + table + " cannot be read: " + reason);
  }

  private static void warnOfKey(Listing listing, Database database) {
    String message =
        listing.hasAmbiguousKey(database)
            ? "listing {}: the key {} is not unique in {}, so pages may repeat or skip records, and"
                + " some records cannot be read at their URL"
            : "listing {}: the key {} is unique in {} now, but no constraint keeps it unique";
    LOG.warn(message, listing.path(), listing.key().name(), listing.table().name());
  }

  private static Table table(ListingPath path, ListingProperties definition, Database database) {
    TableDialect dialect = TableDialect.of(database);
    TableName name = tableName(path, definition.table());
    Optional<Table> found;
    try {
      found = database.read(sql -> dialect.describe(sql, name));
    } catch (DataAccessException e) {
      throw unreadable(path.toString(), definition.table(), database.dialect().reason(e));
    }
    if (found.isEmpty()) {
      String missing =
          "there is no table "
              + definition.table()
              + " in the "
              + database.dialect().databaseName()
              + " database";
      throw wrongTable(path, missing, namesakes(name, database), "create it, or correct its name");
    }
    if (found.get().isOwn()) {
      String taken = "the table " + definition.table() + " belongs to the service itself";
      throw wrongTable(path, taken, namesakes(name, database), "choose another table");
    }
    return found.get();
  }

  private static List<TableName> namesakes(TableName name, Database database) {
    return database.read(sql -> TableDialect.of(database).namesakes(sql, name));
  }

  private static ListingException wrongTable(
      ListingPath path, String problem, List<TableName> others, String remedy) {
    String advice =
        others.isEmpty()
            ? "; " + remedy
            : "; did you mean "
                + others.stream().map(TableName::text).collect(Collectors.joining(" or "))
                + "?";
    return new ListingException("listing " + path + ": " + problem + advice);
  }

  private static TableName tableName(ListingPath path, String text) {
    try {
      return TableName.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ListingException("listing " + path + ": table " + e.getMessage());
    }
  }
}
