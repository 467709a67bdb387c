package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Definitions that tests start from. */
final class Definitions {
  private Definitions() {}

  /** Checks definitions where clients have no attributes. */
  static ListingCatalog check(List<ListingProperties> definitions, Database database) {
    return ListingCatalog.create(definitions, Attributes.parse(Map.of()), database);
  }

  /** The wallets as the design defines them. */
  static ListingProperties wallets() {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", new FieldProperties(null, "uuid", null, null, List.of(), null, true, null));
    fields.put("name", new FieldProperties(null, "text", 120, null, List.of(), null, false, null));
    fields.put(
        "currencyCode",
        new FieldProperties(
            "currency_code", "text", null, "[A-Z0-9]{3,12}", List.of(), null, false, null));
    fields.put(
        "status",
        new FieldProperties(
            null,
            "text",
            null,
            null,
            List.of("ACTIVE", "FROZEN", "CLOSED"),
            "ACTIVE",
            false,
            null));
    fields.put(
        "createdAt",
        new FieldProperties("created_at", "timestamp", null, null, List.of(), null, true, null));
    return ListingProperties.at("/ledger/v1/wallets")
        .table("wallets")
        .key("id")
        .fields(fields)
        .sortable(List.of("name", "currencyCode", "createdAt"))
        .create(true)
        .build();
  }

  /** The table of {@link #samples}, with a column of every type, most of them nullable. */
  static String samplesTable(boolean postgresql) {
    String text = postgresql ? "text" : "TEXT";
    return String.format(
        Locale.ROOT,
        """
        CREATE TABLE samples (
          id INTEGER NOT NULL PRIMARY KEY,
          label %s COLLATE %s,
          amount NUMERIC,
          active BOOLEAN,
          happened %s,
          link %s,
          hidden %s)
        """,
        text,
        // A different order from that of the listings, which must not be visible.
        postgresql ? "\"en-x-icu\"" : "NOCASE",
        postgresql ? "timestamptz" : "TEXT",
        postgresql ? "uuid" : "TEXT",
        text);
  }

  static ListingProperties samples() {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("label", FieldProperties.of("text"));
    fields.put("amount", FieldProperties.of("decimal"));
    fields.put("active", FieldProperties.of("boolean"));
    fields.put("happened", FieldProperties.of("timestamp"));
    fields.put("link", FieldProperties.of("uuid"));
    return ListingProperties.at("/lab/v2/samples")
        .table("samples")
        .key("id")
        .fields(fields)
        .sortable(List.of("id", "label", "amount", "active", "happened", "link"))
        .create(true)
        .build();
  }
}
