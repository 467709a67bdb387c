package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.NaiveFields;

/** Items alone. */
public final class ItemFuzz {
  private static final FieldCheck<Item> CHECK =
      new FieldCheck<>(Item::parse, Item::serialize, NaiveFields::item);

  private ItemFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CHECK.check(input);
  }
}
