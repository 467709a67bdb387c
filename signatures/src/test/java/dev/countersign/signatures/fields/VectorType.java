package dev.countersign.signatures.fields;

import tools.jackson.databind.JsonNode;

/** The three types of a field value, as the vectors name them. */
enum VectorType {
  ITEM {
    @Override
    Item parse(String text) {
      return Item.parse(text);
    }

    @Override
    Item build(JsonNode expected) {
      return ExpectedValue.item(expected);
    }
  },

  LIST {
    @Override
    FieldList parse(String text) {
      return FieldList.parse(text);
    }

    @Override
    FieldList build(JsonNode expected) {
      return ExpectedValue.list(expected);
    }
  },

  DICTIONARY {
    @Override
    Dictionary parse(String text) {
      return Dictionary.parse(text);
    }

    @Override
    Dictionary build(JsonNode expected) {
      return ExpectedValue.dictionary(expected);
    }
  };

  abstract Object parse(String text);

  abstract Object build(JsonNode expected);

  static String serialize(Object fieldValue) {
    if (fieldValue instanceof Item item) {
      return item.serialize();
    }
    return fieldValue instanceof FieldList list
        ? list.serialize()
        : ((Dictionary) fieldValue).serialize();
  }
}
