package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.Table;
import dev.countersign.server.store.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The listings of the configuration, each checked against its table. */
public final class ListingCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(ListingCatalog.class);

  /**
   * The service's own tables, such as those of clients and their keys. A partner who could create
   * rows in these tables could register any client.
   */
  private static final Set<String> OWN_TABLES =
      Set.of(
          "clients",
          "client_keys",
          "client_revision",
          "replay_claims",
          "idempotent_answers",
          "audit_entries",
          "audit_head",
          "operators",
          "operator_changes",
          "operator_sessions",
          "operator_links",
          "operator_devices",
          "openid_sign_ins",
          "client_key_uses",
          "request_records",
          "request_details",
          "request_sequence",
          "request_counts",
          "request_durations",
          "request_clients",
          "key_challenges",
          "flyway_schema_history");

  private final List<Listing> all;

  private ListingCatalog(List<Listing> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Checks the definitions against the tables of the database.
   *
   * @throws ListingException for the first definition that does not fit its table
   */
  public static ListingCatalog check(List<ListingProperties> definitions, Database database) {
    Set<ListingPath> seen = new HashSet<>();
    List<Listing> all = new ArrayList<>();
    for (ListingProperties definition : definitions) {
      ListingPath path = ListingPath.parse(definition.path());
      if (!seen.add(path)) {
        throw new ListingException(
            "listing " + path + " is defined twice: remove one of the definitions");
      }
      Table table = table(path, definition, database);
      Listing listing = new ListingCheck(path, definition, source(table, database)).listing();
      if (!listing.isProvenUnique(listing.key())) {
        checkAssumption(listing, database);
      }
      all.add(listing);
    }
    return new ListingCatalog(all);
  }

  /** Returns the listings in the order of the configuration. */
  public List<Listing> all() {
    return all;
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

  private static ListingCheck.Source source(Table table, Database database) {
    return new ListingCheck.Source(table, new ValueSyntax(database.dialect().decimalDigits()));
  }

  private static void checkAssumption(Listing listing, Database database) {
    String key = listing.key().name();
    String table = listing.table().name();
    try {
      if (new ListingStore(listing, database).hasAmbiguousKey()) {
        LOG.warn(
            "listing {}: the key {} is not unique in {}, so pages may repeat or skip records, and"
                + " some records cannot be read at their URL",
            listing.path(),
            key,
            table);
      } else {
        LOG.warn(
            "listing {}: the key {} is unique in {} now, but no constraint keeps it unique",
            listing.path(),
            key,
            table);
      }
    } catch (DataAccessException e) {
      throw new ListingException(
          "listing "
              + listing.path()
              + ": "
              + table
              + " cannot be read: "
              + String.valueOf(e.getMostSpecificCause().getMessage())
                  .lines()
                  .findFirst()
                  .orElse(""));
    } catch (StoreUnavailableException e) {
      LOG.warn(
          "listing {}: whether the key {} is unique in {} could not be checked, because {}",
          listing.path(),
          key,
          table,
          e.getMessage());
    }
  }

  private static Table table(ListingPath path, ListingProperties definition, Database database) {
    Dialect dialect = database.dialect();
    TableName name = tableName(path, definition.table());
    Table table =
        database
            .read(sql -> dialect.describe(sql, name))
            .orElseThrow(
                () ->
                    new ListingException(
                        "listing "
                            + path
                            + ": there is no table "
                            + definition.table()
                            + " in the "
                            + dialect.databaseName()
                            + " database"));
    if (table.isInOwnSchema() && OWN_TABLES.contains(name.table().toLowerCase(Locale.ROOT))) {
      throw new ListingException(
          "listing "
              + path
              + ": the table "
              + definition.table()
              + " belongs to the service itself; choose another table");
    }
    if (name.schema() == null && !table.name().equals(name.table())) {
      LOG.info("listing {} serves {}, found by the search path", path, table.name());
    }
    return table;
  }

  private static TableName tableName(ListingPath path, String text) {
    try {
      return TableName.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ListingException("listing " + path + ": table " + e.getMessage());
    }
  }
}
