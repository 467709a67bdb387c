package dev.countersign.signatures.fuzz;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.NaiveFields;

/** Dictionaries, and that each member's own text is read as that member again. */
public final class DictionaryFuzz {
  private static final FieldProperties<Dictionary> CHECK =
      new FieldProperties<>(Dictionary::parse, Dictionary::serialize, NaiveFields::dictionary);

  private DictionaryFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CHECK.check(input).ifPresent(DictionaryFuzz::checkTexts);
  }

  private static void checkTexts(Dictionary dictionary) {
    for (String key : dictionary.keys()) {
      String text = dictionary.textOf(key).orElseThrow();
      // The text of a bare key is that of its parameters; no value is empty or begins like them.
      boolean bare = text.isEmpty() || text.startsWith(";");
      Dictionary alone = Dictionary.parse(key + (bare ? "" : "=") + text);
      FuzzFinding.unlessEqual(alone.get(key), dictionary.get(key));
    }
  }
}
