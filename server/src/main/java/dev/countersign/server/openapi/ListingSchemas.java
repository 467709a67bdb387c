package dev.countersign.server.openapi;

import dev.countersign.server.listings.Field;
import dev.countersign.server.listings.Listing;
import java.util.List;

/** The schemas of a listing: its record, its page, and the body that creates a record. */
final class ListingSchemas {
  private final Listing listing;

  ListingSchemas(Listing listing) {
    this.listing = listing;
  }

  /**
   * Returns the name of the listing, such as {@code ledger.v1.wallets}. It is unique, because the
   * version in the middle is the only part of a path that may contain a dot.
   */
  String name() {
    return listing.path().substring(1).replace('/', '.');
  }

  /**
   * Returns the reference to the schema of a record, such as {@code
   * schemas/ledger.v1.wallets.Record}.
   */
  String record() {
    return "schemas/" + name() + ".Record";
  }

  String page() {
    return "schemas/" + name() + ".Page";
  }

  String create() {
    return "schemas/" + name() + ".New";
  }

  void addTo(Node schemas) {
    schemas.put(name() + ".Record", recordSchema());
    schemas.put(name() + ".Page", pageSchema());
    if (listing.isCreatable()) {
      schemas.put(name() + ".New", createSchema());
    }
  }

  private Node recordSchema() {
    Node members = Node.empty();
    listing.fields().forEach(f -> members.put(f.name(), FieldSchema.ofAnswer(f)));
    return Node.type("object")
        .put("required", listing.fields().stream().map(Field::name).toList())
        .put("properties", members);
  }

  private Node pageSchema() {
    Node content = Node.type("array").put("items", Node.ref(record()));
    Node own =
        Node.type("object")
            .put("required", List.of("content"))
            .put("properties", Node.of("content", content));
    return Node.of("allOf", List.of(Node.ref("schemas/PageEnvelope"), own));
  }

  private Node createSchema() {
    List<Field> given = listing.fields().stream().filter(field -> !field.isGenerated()).toList();
    Node members = Node.empty();
    given.forEach(f -> members.put(f.name(), FieldSchema.ofRequest(f)));
    return Node.type("object")
        .put(
            "required",
            given.stream()
                .filter(f -> f.origin() == Field.Origin.CALLER_REQUIRED)
                // The service fills in a field of the scope for clients that have only one value.
                .filter(f -> !listing.scope().containsKey(f.name()))
                .map(Field::name)
                .toList())
        .put("properties", members)
        .put("additionalProperties", false);
  }
}
