package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.NaiveFields;

/** Single inner lists, as in a signature base. */
public final class InnerListFuzz {
  private static final FieldProperties<InnerList> CHECK =
      new FieldProperties<>(InnerList::parse, InnerList::serialize, NaiveFields::innerList);

  private InnerListFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CHECK.check(input);
  }
}
