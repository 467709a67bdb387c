package dev.countersign.server.listings;

import dev.countersign.pagination.PageRules;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.listings.ListingDescription.FieldDescription;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.SortOrder;
import dev.countersign.server.store.Table;
import java.util.List;

/** A listing whose definition fits its table. Only {@link ListingCatalog} creates listings. */
public final class Listing {
  private final ListingPath path;
  private final Table table;
  private final List<Field> fields;
  private final Field key;
  private final PageRules pageRules;
  private final SortOrder order;
  private final boolean creatable;
  private final DeprecationHeaders deprecationHeaders;
  private final ListingProperties definition;

  Listing(ListingPath path, Table table, List<Field> fields, ListingProperties properties) {
    this.path = path;
    this.table = table;
    this.fields = List.copyOf(fields);
    this.key = field(properties.key());
    this.pageRules = PageRules.defaults().withSortable(properties.sortable());
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
    return path.permission("read");
  }

  /** Returns the permission to create a record, even if the listing does not allow creation. */
  public Permission createPermission() {
    return path.permission("create");
  }

  /** Returns whether records may be created. */
  public boolean isCreatable() {
    return creatable;
  }

  /** Returns a description of this listing. */
  public ListingDescription describe() {
    return new ListingDescription(
        path(),
        table.name(),
        fields.stream().map(field -> FieldDescription.of(field, key)).toList(),
        pageRules.sortable().stream().sorted().toList(),
        readPermission().toString(),
        creatable ? createPermission().toString() : null,
        deprecationHeaders.deprecated(),
        deprecationHeaders.sunset());
  }

  /** Returns the members of a record, in the order of the answer. */
  public List<RecordMember> members() {
    return fields.stream().map(RecordMember::of).toList();
  }

  /** Returns whether a constraint of the database keeps a field unique and not null. */
  boolean isProvenUnique(Field field) {
    return table.uniqueColumns().contains(field.column().name()) && !field.column().nullable();
  }

  /** Returns the member that identifies a record in its URL. */
  public RecordMember keyMember() {
    return RecordMember.of(key);
  }

  /** Returns the rules for page parameters. */
  public PageRules pageRules() {
    return pageRules;
  }

  /** Returns the current number of rows in the table. */
  public long count(Database database) {
    return new ListingStore(this, database).total();
  }

  /**
   * Returns whether two rows have the same key, or a row has none.
   *
   * @throws dev.countersign.server.store.StoreUnavailableException if this takes too long to find
   *     out
   */
  public boolean hasAmbiguousKey(Database database) {
    return new ListingStore(this, database).hasAmbiguousKey();
  }

  /**
   * Asks the database which sorts an index serves: those that the listing declares, and the order
   * by the key, which a request without a sort gets.
   */
  public List<ServedSort> sorts(Database database) {
    return new SortIndexes(this, database).check();
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

  List<Field> fields() {
    return fields;
  }

  Field key() {
    return key;
  }

  DeprecationHeaders deprecationHeaders() {
    return deprecationHeaders;
  }

  Field field(String name) {
    return fields.stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no field " + name));
  }
}
