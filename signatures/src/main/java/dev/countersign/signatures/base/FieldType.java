package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldList;
import dev.countersign.signatures.fields.Item;
import java.util.List;

/** The three types of a structured field (RFC 9651 section 3). */
public enum FieldType {
  /** A list of items and inner lists, such as Accept-CH. */
  LIST {
    @Override
    String serialize(List<String> lines) {
      FieldList list = FieldList.parse(lines);
      list.members().forEach(DuplicateKeys::refuseIn);
      return list.serialize();
    }
  },
  /** A dictionary of named members, such as Content-Digest. */
  DICTIONARY {
    @Override
    String serialize(List<String> lines) {
      Dictionary dictionary = Dictionary.parse(lines);
      DuplicateKeys.refuseIn(dictionary);
      return dictionary.serialize();
    }
  },
  /** A single item, such as Deprecation. */
  ITEM {
    @Override
    String serialize(List<String> lines) {
      Item item = Item.parse(String.join(", ", lines));
      DuplicateKeys.refuseIn(item);
      return item.serialize();
    }
  };

  /**
   * The canonical text of a field (RFC 9421 section 2.1.1).
   *
   * @throws dev.countersign.signatures.fields.FieldParseException when the field is of another type
   * @throws IllegalArgumentException when a key occurs twice
   */
  abstract String serialize(List<String> lines);
}
