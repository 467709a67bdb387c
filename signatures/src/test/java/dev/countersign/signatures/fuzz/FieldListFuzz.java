package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.fields.FieldList;
import dev.countersign.signatures.fields.NaiveFields;

/** Lists, and with them inner lists and items. */
public final class FieldListFuzz {
  private static final FieldProperties<FieldList> CHECK =
      new FieldProperties<>(FieldList::parse, FieldList::serialize, NaiveFields::list);

  private FieldListFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CHECK.check(input);
  }
}
