package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The listings of the configuration, each checked against its table. */
public final class ListingCatalog {
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
      all.add(new ListingCheck(path, definition, table(path, definition, database)).listing());
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

  private static ListingCheck.Source table(
      ListingPath path, ListingProperties definition, Database database) {
    Dialect dialect = database.dialect();
    ListingCheck.requireIdentifier("listing " + path + ": table", definition.table());
    if (OWN_TABLES.contains(definition.table().toLowerCase(Locale.ROOT))) {
      throw new ListingException(
          "listing "
              + path
              + ": the table "
              + definition.table()
              + " belongs to the service itself; choose another table");
    }
    Optional<Table> table = database.read(sql -> dialect.describe(sql, definition.table()));
    return new ListingCheck.Source(
        table.orElseThrow(
            () ->
                new ListingException(
                    "listing "
                        + path
                        + ": there is no table "
                        + definition.table()
                        + " in the "
                        + dialect.databaseName()
                        + " database")),
        new ValueSyntax(dialect.decimalDigits()));
  }
}
