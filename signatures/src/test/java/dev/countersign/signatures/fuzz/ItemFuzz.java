package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.NaiveFields;

/** Single items. */
public final class ItemFuzz {
  private static final FieldProperties<Item> CHECK =
      new FieldProperties<>(Item::parse, Item::serialize, NaiveFields::item);

  private ItemFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CHECK.check(input);
  }
}
